/** One way to think: the page's engine first, the server's for pages that have none. */

import type { Engine, EngineErrorCode } from '../engine';
import { HAS_SERVER } from '../lib/build';
import { notices } from '../lib/notices.svelte';
import { api, ApiError } from '../net/api';
import type { Analysis } from '../net/types';
import type { Game } from '../rules/game';
import type { State } from '../rules/state';

/** A position and how it was reached: the server is told the moves. */
export interface Position {
  state: State;
  moves: readonly number[];
  /** The text of the position before the first move; null for the start of the game. */
  start?: string | null;
}

export interface AnalyseOptions {
  seconds: number;
  /** The most candidates to return. */
  lines: number;
  signal?: AbortSignal;
  report?: (analysis: Analysis) => void;
  /** How to ask the server, if not for the analysis of any position. */
  server?: () => Promise<Analysis>;
}

/** The page's engine, loaded when it is first needed. */
let loading: Promise<Engine> | null = null;

function pageEngine(): Promise<Engine> {
  loading ??= import('../engine').then(({ engine }) => {
    engine.onNotice = ({ code }) => notices.say(code === 'net' ? 'notice.net' : 'notice.browser');
    return engine;
  });
  loading.catch(() => (loading = null));
  return loading;
}

/** Whether this page can think by itself. */
export async function canThink(): Promise<boolean> {
  try {
    await (await pageEngine()).ready();
    return true;
  } catch {
    return false;
  }
}

/** Load what the page needs to play a game, ahead of the first move; the move itself says what went wrong. */
export function prepare(game: Game, level: number): void {
  pageEngine()
    .then((engine) => engine.prepare(game, `level:${level}`))
    .catch(() => undefined);
}

/** The move that the computer plays at a level. */
export function choose(position: Position, level: number, signal?: AbortSignal): Promise<number> {
  return ask(
    async (engine) => (await engine.choose(position.state, `level:${level}`, { signal })).move,
    async () => {
      const { candidates } = await onServer(position, { seconds: 1, lines: 1 });
      return candidates[0].move;
    },
    signal,
  );
}

/** Evaluate a position. */
export function analyse(position: Position, options: AnalyseOptions): Promise<Analysis> {
  const { seconds, lines, signal, report } = options;
  return ask(
    (engine) => engine.analyse(position.state, { limit: { seconds }, candidates: lines, signal, report }),
    options.server ?? (() => onServer(position, options)),
    signal,
  );
}

function onServer({ state, moves, start }: Position, { seconds, lines }: AnalyseOptions): Promise<Analysis> {
  return api.analyse(state.game.name, [...moves], seconds, lines, start);
}

/** Ask the page, twice if its worker died, then the server. */
async function ask<T>(
  page: (engine: Engine) => Promise<T>,
  server: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let failure: unknown;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await page(await pageEngine());
    } catch (error) {
      failure = error;
      if (signal?.aborted || codeOf(error) !== 'crashed') break;
      notices.say('notice.worker');
    }
  }
  if (HAS_SERVER && !signal?.aborted) {
    try {
      return await server();
    } catch (error) {
      // The reason why the page could not is of more use than that there is no connection.
      if (!(error instanceof ApiError) || error.error.code !== 'offline') throw error;
    }
  }
  throw new ApiError(0, { code: 'engine', message: String(failure) });
}

function codeOf(error: unknown): EngineErrorCode | undefined {
  return (error as { code?: EngineErrorCode }).code;
}
