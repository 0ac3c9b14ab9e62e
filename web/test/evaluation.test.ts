import { expect, test, vi } from 'vitest';
import { evaluationWords, type PlyEvaluation } from '../src/review/evaluation';

// Catalogues are fetched, which no page does here.
vi.mock('../src/i18n/index.svelte', async (original) => ({
  ...(await original<object>()),
  t: (key: string, { win, margin }: Record<string, string> = {}) => (win ? `${win}, ${margin}` : key),
}));

const lost: PlyEvaluation = {
  ply: 3,
  win: 0.001,
  margin: -7.4,
  exact: false,
  best: null,
  loss: null,
  mark: null,
};

test('a review says nothing more precisely than its search knows it', () => {
  expect(evaluationWords(lost, 'Light')).toBe('< 1%, ≈ −7.5');
  expect(evaluationWords({ ...lost, win: 0, margin: -7, exact: true }, 'Light')).toBe('0%, −7');
  expect(evaluationWords(undefined, 'Light')).toBe('review.graph-empty');
});
