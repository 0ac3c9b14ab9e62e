/** Games kept in this browser as records, and records added to them. */

import { loadGame } from '../lib/games';
import { ApiError } from '../net/api';
import { NotationError } from '../notation/errors';
import { formatRecord, parseRecord, type GameRecord } from '../notation/record';
import type { Seat } from '../rules/definition';
import type { Game } from '../rules/game';
import { moveText, readMove } from '../rules/notation';
import { IllegalMove, State } from '../rules/state';
import { knownName } from './names';
import { newSavedGame, writeGame, type SavedGame } from './savedGames';

const SEATS = ['light', 'dark'] as const;

/** The record of a game. */
export async function recordText(saved: SavedGame): Promise<string> {
  const game = await loadGame(saved.game);
  const moves = saved.moves.map((action) => game.move(action)!);
  return formatRecord({
    tags: tagsOf(saved, game),
    comment: '',
    moves: moves.map((move) => ({ move: moveText(game, move), nags: [], comment: '', variations: [] })),
  });
}

function tagsOf(saved: SavedGame, game: Game): Record<string, string> {
  const { computer, resigned, scores, over } = saved;
  const date = new Date(saved.started);
  const two = (value: number) => String(value).padStart(2, '0');
  const tags: Record<string, string | null> = {
    Date: `${date.getFullYear()}.${two(date.getMonth() + 1)}.${two(date.getDate())}`,
    Light: knownName(saved, 0),
    Dark: knownName(saved, 1),
    Result: over ? ['1-0', '0-1', '1/2-1/2'][saved.winner ?? 2] : '*',
    Score: over && resigned === null ? scores.join('-') : null,
    Game: game.name,
    Termination: resigned === null ? null : 'resigned',
    Computer: computer && `${SEATS[computer.seat]} ${computer.level}`,
  };
  const known = Object.entries(tags).filter((tag): tag is [string, string] => tag[1] !== null);
  return Object.fromEntries(known);
}

/** Keep the games of a file in this browser; refuse the file as a whole if one of them cannot be read. */
export async function importRecords(text: string): Promise<SavedGame[]> {
  const games: SavedGame[] = [];
  for (const [index, part] of splitGames(text).entries()) {
    try {
      games.push(await read(parseRecord(part)));
    } catch (error) {
      throw new ApiError(0, { code: 'bad-record', message: `${index + 1}. ${whatIsWrong(error)}` });
    }
  }
  for (const game of games) await writeGame(game);
  return games;
}

/** The texts of the games of a file: after moves, a line that starts with a tag begins the next game. */
export function splitGames(text: string): string[] {
  const games: string[][] = [];
  let inTags = false;
  for (const line of text.split('\n')) {
    const isTag = /^\s*\[\s*[A-Za-z]/.test(line);
    if (isTag && !inTags) games.push([]);
    if (isTag || line.trim()) inTags = isTag;
    (games.at(-1) ?? games[games.push([]) - 1]).push(line);
  }
  return games.map((lines) => lines.join('\n')).filter((game) => game.trim());
}

async function read({ tags, moves }: GameRecord): Promise<SavedGame> {
  const game = await loadGame(tags.Game);
  if (tags.Position) throw new Error('Position: a game kept in the browser begins at its start');
  let state = State.start(game);
  const actions = moves.map(({ move }, ply) => {
    const found = readMove(state, move);
    if (!found) throw new Error(`${move} (${ply + 1})`);
    state = state.play(found);
    return found.action;
  });
  const resigned = tags.Termination === 'resigned' ? loserOf(tags.Result) : null;
  const claimed = winnerOf(tags.Result);
  const [side, level] = (tags.Computer ?? '').split(' ');
  const seat = SEATS.indexOf(side as (typeof SEATS)[number]);
  return newSavedGame(tags.Game, {
    moves: actions,
    resigned,
    computer: seat >= 0 && Number(level) ? { seat: seat as Seat, level: Number(level) } : null,
    names: seat >= 0 ? [null, null] : [tags.Light ?? null, tags.Dark ?? null],
    scores: state.scores(),
    over: state.isOver || resigned !== null,
    winner: state.outcome()?.winner ?? claimed,
  });
}

function winnerOf(result: string | undefined): Seat | null {
  return result === '1-0' ? 0 : result === '0-1' ? 1 : null;
}

function loserOf(result: string | undefined): Seat | null {
  const winner = winnerOf(result);
  return winner === null ? null : ((1 - winner) as Seat);
}

function whatIsWrong(error: unknown): string {
  if (error instanceof NotationError) return error.text;
  if (error instanceof IllegalMove) return error.reason.text ?? error.reason.code;
  return error instanceof Error ? error.message : String(error);
}

/** Let the browser save a text as a file. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  // The browser has started reading it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
