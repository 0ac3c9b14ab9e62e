import { expect, test } from 'vitest';
import { clockOf, clockWord, wishIn, wishPath, type Wish } from '../src/home/wish';

const wish: Wish = {
  way: 'link', game: 'taiji:size=7,groups=2', level: 4, colour: 'dark', match: false, takebacks: true, rated: false,
  clock: { kind: 'byoyomi', main_s: 600, periods: 3, period_s: 30 },
};

test('a link carries the wish', () => {
  const { level: _level, takebacks: _takebacks, rated: _rated, ...carried } = wish;
  const path = wishPath(wish);
  expect(wishIn(new URLSearchParams(path.slice(2)))).toEqual(carried);
  expect(wishIn(new URLSearchParams(wishPath({ ...wish, way: 'computer' }).slice(2))).level).toBe(4);
});

test('clocks go into a word and back', () => {
  for (const word of ['sudden-300', 'fischer-300-5', 'bronstein-60-2', 'byoyomi-600-3-30', 'correspondence-3']) {
    expect(clockWord(clockOf(word)!)).toBe(word);
  }
});

test('nonsense in a link is left out', () => {
  const query = new URLSearchParams('way=fly&level=99&colour=red&clock=fischer-x-5');
  expect(wishIn(query)).toEqual({ clock: null });
  expect(clockOf('sudden-300-5')).toBeNull();
});
