/** The table of the computer's levels, as `players/level_table.py`. */

import table from '$levels';

export interface Level {
  playouts?: number;
  evaluations?: number;
  temperature?: number;
  blunder_rate?: number;
  /** Measured strength; level 1 of the game has 0. Missing if a step below has too few games. */
  elo?: number;
}

const DEFAULT_WIDTH = 9;

/** The ten levels of a game: those of the nearest board; custom games use the levels of TAIJI. */
export function levelsOf(gameText: string, width: number): readonly Level[] {
  const games = table as unknown as Record<string, Record<string, Level[]>>;
  const base = gameText.split(':')[0];
  const byWidth = Object.hasOwn(games, base) ? games[base] : games.taiji;
  const distance = (known: string) => Math.abs(Number(known) - width);
  // Integer keys come in ascending order, so the smaller of two equally near boards is taken.
  const [nearest] = Object.keys(byWidth).sort((a, b) => distance(a) - distance(b));
  return byWidth[nearest];
}

/** The width of the board that a game's text asks for. */
export function widthInText(gameText: string): number {
  return Number(/[:,]size=(\d+)/.exec(gameText)?.[1] ?? DEFAULT_WIDTH);
}
