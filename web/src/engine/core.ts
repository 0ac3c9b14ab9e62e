/** The compiled core: typed calls into the WebAssembly module (core/wasm/api.cpp). */

import type { Game } from '../rules/game';
import { describeGame, Numbers } from './describe';
import { EngineError } from './types';

/** Pointers into the module's memory. */
export type Handle = number;

export interface Objective {
  /** The first seat's lead in half points. */
  lead: number;
  /** The winner of equal totals: a seat, 2 for nobody, -1 for the game's rule. */
  tieWinner: number;
}

export interface MoveInfo {
  action: number;
  visits: number;
  winProb: number;
  margin: number;
}

export interface SearchResult {
  playouts: number;
  nodes: number;
  seconds: number;
  winProb: number;
  margin: number;
  memory: number;
  pv: number[];
  moves: MoveInfo[];
}

export interface NeuralResult extends SearchResult {
  evaluations: number;
  cacheHits: number;
  proven: boolean;
}

export interface CoreSolution {
  solved: boolean;
  lower: number;
  upper: number;
  nodes: number;
  seconds: number;
  best: number[];
  pv: number[];
  refuted: number[];
}

export interface SolveLimits {
  seconds?: number | null;
  nodes?: number | null;
  allBest?: boolean;
  winnerOnly?: boolean;
}

export interface Placed {
  /** The actions of each stage so far. */
  placed: readonly (readonly number[])[];
  swapped: boolean;
  /** The action that named the komi; null if none did. */
  komi?: number | null;
}

type Call = (...args: number[]) => number;
interface Exports {
  memory: WebAssembly.Memory;
  _initialize?: () => void;
  [name: string]: Call | WebAssembly.Memory | undefined | (() => void);
}

const MEMORY_ERROR = 2;

/** The few calls to the system that the C++ library makes: clocks, and the text of an abort. */
function systemCalls(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  const view = () => new DataView(memory().buffer);
  return {
    clock_time_get(id: number, _precision: bigint, out: number) {
      const ms = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(out, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    fd_write(_file: number, _parts: number, _count: number, written: number) {
      view().setUint32(written, 0, true);
      return 0;
    },
    fd_close: () => 0,
    fd_seek: () => 8,
    fd_fdstat_get: () => 8,
    environ_get: () => 0,
    environ_sizes_get(count: number, size: number) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    proc_exit(code: number) {
      throw new Error(`the engine ended with status ${code}`);
    },
  };
}

export class Core {
  private constructor(private readonly exports: Exports) {}

  /** Start the module. */
  static async start(module: WebAssembly.Module): Promise<Core> {
    let core: Core | null = null;
    const system = systemCalls(() => core!.exports.memory);
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system });
    core = new Core(instance.exports as unknown as Exports);
    core.exports._initialize?.();
    return core;
  }

  /** Bytes of memory that the module has taken. */
  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  get backend(): string {
    return this.text(this.raw('backend_name'));
  }

  private raw(name: string, ...args: number[]): number {
    return (this.exports[name] as Call)(...args);
  }

  private text(at: number): string {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  private failure(): EngineError {
    const text = this.text(this.raw('error_text'));
    return new EngineError(this.raw('error_kind') === MEMORY_ERROR ? 'memory' : 'position', text);
  }

  /** Call a function that returns a negative number if it fails. */
  private call(name: string, ...args: number[]): number {
    const result = this.raw(name, ...args);
    if (result < 0) throw this.failure();
    return result;
  }

  /** Call a function that returns 0 if it fails. */
  private make(name: string, ...args: number[]): Handle {
    const handle = this.raw(name, ...args);
    if (handle === 0) throw this.failure();
    return handle;
  }

  /** Copy bytes to the module's input; return their number. */
  private put(bytes: Uint8Array): number {
    const at = this.raw('input', bytes.length);
    if (at === 0 && bytes.length > 0) throw this.failure();
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
    return bytes.length;
  }

  private results(): Results {
    const { buffer } = this.exports.memory;
    return new Results(new Float64Array(buffer, this.raw('results'), this.raw('result_count')).slice());
  }

  /** Free an object; `kind` is the first word of the function that made it. */
  free(kind: 'game' | 'position' | 'search' | 'solver' | 'net' | 'neural', handle: Handle): void {
    this.raw(`${kind}_free`, handle);
  }

  game(game: Game): Handle {
    return this.gameFrom(describeGame(game));
  }

  /** A game from its description. */
  gameFrom(description: Uint8Array): Handle {
    try {
      return this.make('game_new', this.put(description));
    } catch (error) {
      if (error instanceof EngineError && error.code === 'position')
        throw new EngineError('rules', error.message);
      throw error;
    }
  }

  position(game: Handle, { placed, swapped, komi }: Placed): Handle {
    const numbers = new Numbers().int(placed.length);
    for (const actions of placed) numbers.ints(actions);
    return this.make(
      'position_new',
      game,
      this.put(
        numbers
          .flag(swapped)
          .int(komi ?? -1)
          .bytes(),
      ),
    );
  }

  play(position: Handle, action: number): void {
    this.call('position_play', position, action);
  }

  legal(position: Handle): number[] {
    this.call('position_legal', position);
    return this.results().list();
  }

  info(position: Handle) {
    this.call('position_info', position);
    const results = this.results();
    const [over, seat, first, second, winner, stage] = Array.from({ length: 6 }, () => results.next());
    return { over: over !== 0, seat, halfPoints: [first, second] as [number, number], winner, stage };
  }

  randomGame(position: Handle, seed: number): number[] {
    this.call('position_random_game', position, seed);
    return this.results().list();
  }

  /** A hash of the legal moves, scores and winners of random games, to compare two builds by. */
  randomGamesHash(position: Handle, firstSeed: number, count: number): string {
    this.call('position_random_games_hash', position, firstSeed, count);
    const results = this.results();
    return [results.next(), results.next()].map((half) => half.toString(16).padStart(8, '0')).join('');
  }

  /** The action with the best score difference after some plies, and that difference in half points. */
  lookAhead(position: Handle, depth: number, seed: bigint): [number, number] {
    const [low, high] = [Number(seed & 0xffffffffn), Number(seed >> 32n)];
    this.call('position_look_ahead', position, depth, low, high);
    const results = this.results();
    return [results.next(), results.next()];
  }

  playouts(position: Handle, count: number, seconds: number, seed: number) {
    this.call('position_playouts', position, count, seconds, seed);
    const results = this.results();
    const [playouts, plies, first, second, draws, margin, spent] = Array.from({ length: 7 }, () =>
      results.next(),
    );
    return { playouts, plies, wins: [first, second, draws], margin, seconds: spent };
  }

  /** A tree search; `options` in the order of `read_search_options`. */
  search(game: Handle, options: readonly number[]): Handle {
    return this.make('search_new', game, this.put(doubles(options)));
  }

  startSearch(
    search: Handle,
    position: Handle,
    playouts: number | null,
    seconds: number | null,
    { lead, tieWinner }: Objective,
  ): void {
    this.call('search_start', search, position, playouts ?? 0, seconds ?? 0, lead, tieWinner);
  }

  /** Search for some seconds; return whether the search has ended. */
  step(kind: 'search' | 'neural', handle: Handle, seconds: number): boolean {
    return this.call(`${kind}_step`, handle, seconds) === 1;
  }

  stop(kind: 'search' | 'neural', handle: Handle): void {
    this.raw(`${kind}_stop`, handle);
  }

  reset(kind: 'search' | 'neural', handle: Handle): void {
    this.call(`${kind}_reset`, handle);
  }

  searchResult(search: Handle): SearchResult {
    this.call('search_info', search);
    return this.results().search();
  }

  solver(game: Handle, mebibytes: number): Handle {
    return this.make('solver_new', game, mebibytes);
  }

  solve(solver: Handle, position: Handle, limits: SolveLimits, objective: Objective): CoreSolution {
    const { seconds, nodes, allBest = true, winnerOnly = false } = limits;
    this.call(
      'solver_solve',
      solver,
      position,
      seconds ?? 0,
      nodes ?? 0,
      objective.lead,
      objective.tieWinner,
      Number(allBest),
      Number(winnerOnly),
    );
    return this.results().solution();
  }

  /** A move that wins because its player can mirror every move after it, or null. */
  mirrorWin(solver: Handle, position: Handle, { lead, tieWinner }: Objective): number | null {
    const next = this.call('solver_mirror_win', solver, position, lead, tieWinner);
    return next ? next - 1 : null;
  }

  findWin(
    solver: Handle,
    position: Handle,
    first: readonly number[],
    { seconds, nodes }: SolveLimits,
    { lead, tieWinner }: Objective,
  ): CoreSolution {
    const bytes = this.put(new Numbers().ints(first).bytes());
    this.call('solver_find_win', solver, position, bytes, seconds ?? 0, nodes ?? 0, lead, tieWinner);
    return this.results().solution();
  }

  net(tensors: Uint8Array, height: number, width: number): Handle {
    const net = this.make('net_new', this.put(tensors), height, width);
    this.raw('input_free');
    return net;
  }

  /** A PUCT search; `description` is made by `describeNeural`. */
  neural(game: Handle, net: Handle, description: Uint8Array, batch: number): Handle {
    return this.make('neural_new', game, net, this.put(description), batch);
  }

  startNeural(
    neural: Handle,
    position: Handle,
    limits: { playouts?: number | null; evaluations?: number | null; seconds?: number | null },
    { lead, tieWinner }: Objective,
  ): void {
    const { playouts, evaluations, seconds } = limits;
    const numbers = [playouts ?? 0, evaluations ?? 0, seconds ?? 0];
    this.call('neural_start', neural, position, ...numbers, lead, tieWinner);
  }

  neuralResult(neural: Handle): NeuralResult {
    this.call('neural_info', neural);
    const results = this.results();
    const search = results.search();
    const [evaluations, cacheHits, proven] = [results.next(), results.next(), results.next()];
    return { ...search, evaluations, cacheHits, proven: proven !== 0 };
  }
}

function doubles(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer);
}

/** Reads numbers one after another. */
class Results {
  private at = 0;

  constructor(private readonly numbers: Float64Array) {}

  next(): number {
    return this.numbers[this.at++];
  }

  list(): number[] {
    return Array.from({ length: this.next() }, () => this.next());
  }

  search(): SearchResult {
    const [playouts, nodes, seconds, winProb, margin, memory] = Array.from({ length: 6 }, () => this.next());
    const pv = this.list();
    const moves = Array.from({ length: this.next() }, () => ({
      action: this.next(),
      visits: this.next(),
      winProb: this.next(),
      margin: this.next(),
    }));
    return { playouts, nodes, seconds, winProb, margin, memory, pv, moves };
  }

  solution(): CoreSolution {
    const [solved, lower, upper, nodes, seconds] = Array.from({ length: 5 }, () => this.next());
    const [best, pv, refuted] = [this.list(), this.list(), this.list()];
    return { solved: solved !== 0, lower, upper, nodes, seconds, best, pv, refuted };
  }
}
