/** One typical position of each game, for its picture. */

import type { Position } from './lessons';

export const PICTURES: Record<string, Position> = {
  taiji: {
    game: 'taiji:size=7',
    setup: 'd4/d5 e4/e5 c4/c5 d3/e3 b4/b5 f5/f4 c3/b3 d6/c6 e2/d2 f3/f2'.split(' '),
  },
  tailits: {
    game: 'tailits',
    setup: 'e5e7/e6f6 c7d6/c6c8 g4g6/g5h6 f8g7/f9g8 i8i9/h8i7 e4f3/e3f2 d10d11/d9e9 a7b8/a8a9'.split(' '),
  },
  'battle-of-lits': {
    game: 'battle-of-lits',
    setup: 'f8f9f10g9 e6e7e8f6 g6h5h6i6 j3j4j5j6 f2f3f4f5 c2d2e1e2 h8h9h10i10'.split(' '),
  },
  'tailits+taiji': { game: 'tailits+taiji', setup: [], upTo: { stage: 1, plies: 14 } },
  'taiji+battle-of-lits': { game: 'taiji+battle-of-lits:size=7', setup: [], upTo: { stage: 1, plies: 4 } },
};
