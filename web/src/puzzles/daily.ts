/** The puzzle of the day, from the date alone: as `taiji.analysis.puzzles.daily`. */

const EPOCH = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** The number of a day since 2026-01-01, in UTC. */
export function dayNumber(now: number): number {
  return Math.floor((now - EPOCH) / DAY_MS);
}

/** The index of the set, and of the puzzle in it, whose turn it is; `sizes` are the sizes of the sets. */
export function dailyPlace(day: number, sizes: number): { set: number; turn: number } {
  return { set: modulo(day, sizes), turn: Math.floor(day / sizes) };
}

/** The puzzle of a turn: all of a set come once before any comes again. */
export function pick<T>(puzzles: readonly T[], turn: number): T {
  const size = puzzles.length;
  return puzzles[modulo(turn * stride(size), size)];
}

/** A step through a set that visits every puzzle: near the golden section, coprime to the size. */
export function stride(size: number): number {
  let step = Math.max(1, Math.round(size * 0.618));
  while (size > 1 && gcd(step, size) !== 1) step += 1;
  return step;
}

function gcd(a: number, b: number): number {
  return b ? gcd(b, a % b) : a;
}

function modulo(a: number, n: number): number {
  return ((a % n) + n) % n;
}
