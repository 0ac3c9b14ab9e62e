/** Start a game that this browser keeps, or a table of the server. */

import { HAS_SERVER } from '../lib/build';
import { newSavedGame, writeGame, type SavedGame } from '../local/savedGames';
import { api, ApiError } from '../net/api';
import type { ClockRule, ColourChoice } from '../net/types';
import type { Seat } from '../rules/definition';
import { canThink } from '../think/think';

export interface ComputerGame {
  game: string;
  level: number;
  colour?: ColourChoice;
  clock?: ClockRule | null;
  /** Whether the game is to be kept on the server, where others can watch it. */
  online?: boolean;
}

/** Start a game kept in this browser; return its path. */
export async function startLocal(game: string, options: Partial<SavedGame> = {}): Promise<string> {
  const saved = newSavedGame(game, options);
  await writeGame(saved);
  return `/local/${saved.id}`;
}

/** Start a game against the computer, in this page if it can think and nothing needs the server; return its path. */
export async function startComputer({ game, level, colour, clock, online }: ComputerGame): Promise<string> {
  const here = () => startLocal(game, { computer: { seat: (1 - ownSeat(colour)) as Seat, level } });
  if (!HAS_SERVER || (!clock && !online && (await canThink()))) return here();
  try {
    const table = await api.newTable({ game, opponent: 'computer', level, colour, clock });
    return `/game/${table.id}`;
  } catch (error) {
    const offline = error instanceof ApiError && error.error.code === 'offline';
    if (offline && (await canThink())) return here();
    throw error;
  }
}

function ownSeat(colour: ColourChoice = 'random'): Seat {
  if (colour === 'random') return Math.random() < 0.5 ? 0 : 1;
  return colour === 'light' ? 0 : 1;
}
