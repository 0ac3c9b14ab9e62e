/** The page's side of the engine: starts the worker, sends requests and restarts it if it dies. */

import type { Analysis } from '../net/types';
import type { Game } from '../rules/game';
import type { State } from '../rules/state';
import { analysisFrom, analysisOfEnd } from './analysis';
import type { Placed } from './core';
import type { Answers, Files, FromWorker, Request, ToWorker } from './messages';
import type { Info } from './players/info';
import {
  EngineError,
  type AnalyseOptions,
  type ChooseOptions,
  type Choice,
  type Engine,
  type EngineAbilities,
  type EngineNotice,
  type PlayerText,
  type PositionScore,
  type Solution,
  type SolveOptions,
} from './types';

const DEFAULT_ANALYST = 'neural';
const MAX_CANDIDATES = 10;

interface Pending {
  resolve: (answer: Answers[keyof Answers]) => void;
  reject: (error: EngineError) => void;
  report?: (info: Info) => void;
  progress?: (nodes: number) => void;
}

interface Link {
  worker: Worker;
  ready: Promise<EngineAbilities>;
  games: Set<string>;
  pending: Map<number, Pending>;
  fail: (error: EngineError) => void;
}

export class WorkerEngine implements Engine {
  onNotice: ((notice: EngineNotice) => void) | null = null;
  private link: Link | null = null;
  private lastId = 0;
  private readonly said = new Set<string>();

  constructor(
    private readonly startWorker: () => Worker,
    private readonly files: Files,
  ) {}

  async ready(): Promise<EngineAbilities> {
    return this.connect().ready;
  }

  private connect(): Link {
    if (this.link) return this.link;
    const pending = new Map<number, Pending>();
    let worker: Worker;
    try {
      if (typeof WebAssembly === 'undefined') throw new Error('this browser has no WebAssembly');
      worker = this.startWorker();
    } catch (error) {
      throw new EngineError('unavailable', String(error));
    }
    let resolve!: (abilities: EngineAbilities) => void;
    let reject!: (error: EngineError) => void;
    const ready = new Promise<EngineAbilities>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    ready.catch(() => undefined);
    const link: Link = {
      worker,
      ready,
      games: new Set(),
      pending,
      fail: (error) => {
        if (this.link === link) this.link = null;
        worker.terminate();
        reject(error);
        for (const one of pending.values()) one.reject(error);
        pending.clear();
      },
    };
    let started = false;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'ready') {
        started = true;
        resolve({ nets: data.nets, readyMs: data.readyMs });
      } else this.hear(link, data);
    };
    worker.onerror = (event) => {
      const text = event.message || 'the worker could not be loaded';
      link.fail(new EngineError(started ? 'crashed' : 'unavailable', text));
    };
    this.link = link;
    this.tell(link, { type: 'start', files: this.files, startedAt: Date.now() });
    return link;
  }

  private tell(link: Link, message: ToWorker): void {
    link.worker.postMessage(message);
  }

  private hear(link: Link, data: Exclude<FromWorker, { type: 'ready' }>): void {
    switch (data.type) {
      case 'unavailable':
        link.fail(new EngineError('unavailable', data.message));
        break;
      case 'notice':
        this.notice(data.notice);
        break;
      case 'report':
        link.pending.get(data.id)?.report?.(data.info);
        break;
      case 'progress':
        link.pending.get(data.id)?.progress?.(data.nodes);
        break;
      case 'done':
        link.pending.get(data.id)?.resolve(data.answer);
        link.pending.delete(data.id);
        break;
      case 'failed':
        link.pending.get(data.id)?.reject(new EngineError(data.code, data.message));
        link.pending.delete(data.id);
        break;
    }
  }

  private notice(notice: EngineNotice): void {
    if (this.said.has(notice.code)) return;
    this.said.add(notice.code);
    this.onNotice?.(notice);
  }

  private async ask<R extends Request>(
    game: Game,
    placed: Placed,
    request: R,
    listeners: Pick<Pending, 'report' | 'progress'> & { signal?: AbortSignal } = {},
  ): Promise<Answers[R['op']]> {
    const link = this.connect();
    await link.ready;
    if (!link.games.has(game.name)) {
      link.games.add(game.name);
      // A plain copy: the definition may be a reactive proxy, which cannot be sent.
      const definition = JSON.parse(JSON.stringify(game.definition)) as Game['definition'];
      this.tell(link, { type: 'game', key: game.name, definition });
    }
    const id = ++this.lastId;
    const { signal, ...heard } = listeners;
    const stop = () => this.tell(link, { type: 'stop', id });
    try {
      return await new Promise<Answers[R['op']]>((resolve, reject) => {
        link.pending.set(id, { ...heard, reject, resolve: (answer) => resolve(answer as Answers[R['op']]) });
        this.tell(link, { type: 'request', id, game: game.name, placed, request });
        if (signal?.aborted) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async prepare(game: Game, player: PlayerText = DEFAULT_ANALYST): Promise<void> {
    await this.ask(game, { placed: [[]], swapped: false }, { op: 'prepare', player });
  }

  legal(state: State): Promise<number[]> {
    return this.ask(state.game, placedOf(state), { op: 'legal' });
  }

  score(state: State): Promise<PositionScore> {
    return this.ask(state.game, placedOf(state), { op: 'score' });
  }

  async choose(state: State, player: PlayerText, options: ChooseOptions = {}): Promise<Choice> {
    const { limit = {}, match = null, seed = null, signal, report } = options;
    const answer = await this.ask(
      state.game,
      placedOf(state),
      { op: 'think', player, seed, limit, match },
      {
        signal,
        report: report && ((info) => report(analysisFrom(state, info, player, null, MAX_CANDIDATES))),
      },
    );
    const analysis = analysisFrom(state, answer.info, player, answer.move, MAX_CANDIDATES);
    return { move: answer.move, analysis };
  }

  async analyse(state: State, options: AnalyseOptions = {}): Promise<Analysis> {
    if (state.isOver) return analysisOfEnd(state);
    const { limit = {}, match = null, signal, report } = options;
    const { player = DEFAULT_ANALYST, candidates = MAX_CANDIDATES } = options;
    const answer = await this.ask(
      state.game,
      placedOf(state),
      { op: 'think', player, seed: null, limit, match },
      { signal, report: report && ((info) => report(analysisFrom(state, info, player, null, candidates))) },
    );
    return analysisFrom(state, answer.info, player, answer.move, candidates);
  }

  solve(state: State, options: SolveOptions = {}): Promise<Solution> {
    const { seconds = null, nodes = null, match = null, signal, progress } = options;
    const { allBest = true, winnerOnly = false } = options;
    const request = { op: 'solve', seconds, nodes, match, allBest, winnerOnly } as const;
    return this.ask(state.game, placedOf(state), request, { signal, progress });
  }

  newGame(): void {
    if (this.link) this.tell(this.link, { type: 'new-game' });
  }

  close(): void {
    this.link?.fail(new EngineError('stopped', 'the engine was closed'));
  }
}

function placedOf(state: State): Placed {
  return {
    placed: state.layers.map(({ placed }) => placed.map(({ action }) => action)),
    swapped: state.swapped,
    komi: state.game.komis.find(({ komi }) => komi === state.komi)?.action ?? null,
  };
}
