/** What works without a server: every lesson and edition is cached, and a static build finds its files. */

import { expect, test } from 'vitest';
import { OFFLINE_GAMES } from '../build/offlineGames';
import { rewritten } from '../build/static-links';
import { LESSONS } from '../src/learn/lessons';
import { definitionPath } from '../src/net/definitionPath';
import { runPython } from './python';

const CODE = `
import json, sys
sys.path.insert(0, "tools")
import static_games as s
offered = [s.limited(game) for game in s.catalogue().games]
texts = [text for game in offered for text in s.texts(game)] + [one.name for one in s.catalogue().editions]
print(json.dumps({"names": {text: s.file_name(text) for text in texts if s.exists(text)},
    "games": [game.name for game in offered], "editions": [one.name for one in s.catalogue().editions]}))
`;
const { names, games, editions } = runPython<{
  names: Record<string, string>;
  games: string[];
  editions: string[];
}>('-c', CODE);

test('every game, edition and lesson is cached when the app is installed', () => {
  const lessons = Object.values(LESSONS).flatMap((list) => list.map(({ game }) => game));
  expect(OFFLINE_GAMES).toEqual(expect.arrayContaining([...games, ...editions, ...lessons, 'taiji:size=7']));
});

test('a static build has a file for every game that is cached or offered', () => {
  expect(Object.keys(names)).toEqual(expect.arrayContaining(OFFLINE_GAMES));
  for (const [text, file] of Object.entries(names))
    expect(definitionPath(text, false)).toBe(`definitions/${file}`);
  // The order in which options were chosen does not matter.
  expect(definitionPath('taiji:score=omega,size=7', false)).toBe(
    definitionPath('taiji:size=7,score=omega', false),
  );
});

test('links of a static build are hashes, and files are relative', () => {
  expect(rewritten('<a href="/learn"><img src="/icon.svg"></a>')).toBe(
    '<a href="#/learn"><img src="icon.svg"></a>',
  );
  expect(rewritten('<a href={`/learn/${name}`}>')).toBe('<a href={`#/learn/${name}`}>');
  expect(rewritten('<a href="/licences.txt" href="#main">')).toBe('<a href="licences.txt" href="#main">');
});
