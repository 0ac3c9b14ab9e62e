/** The games whose definitions are cached when the app is installed; others once they have been played. */
export const OFFLINE_GAMES = [
  'taiji',
  'taiji:size=3',
  'taiji:size=5',
  'taiji:size=7',
  'taiji:size=11',
  'tailits',
  'battle-of-lits',
  'tailits+taiji',
  'taiji+battle-of-lits',
  'taiji+battle-of-lits:size=7',
  'nestorgames-7x7',
  'nestorgames-9x9',
  'nestorgames-11x11',
  'deluxe',
  'blue-panther',
  'blue-panther-advanced',
];
