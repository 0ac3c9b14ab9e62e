/** The engine inside the worker: games, nets and players by name, over one core. */

import type { GameDefinition } from '../rules/definition';
import { Game } from '../rules/game';
import { Unsupported } from '../rules/program';
import { Core, type Objective, type Placed } from './core';
import type { Answers, Request, SolveRequest, ThinkRequest } from './messages';
import { firstStageGame, NetFile, type NetGame } from './net';
import { CoreGame, Place } from './place';
import { makePlayer } from './players';
import type { NetSource } from './players/neural';
import { nowS, type Player, type Turn } from './players/player';
import { solutionOf } from './solution';
import { EngineError, type EngineNotice, type MatchContext, type Solution } from './types';

const SOLVER_MIB = 32;
/** The solver's slices, in seconds: short at first, so that easy positions answer at once. */
const FIRST_SLICE_S = 0.05;
const MAX_SLICE_S = 0.5;
/** Up to this many nodes the solver runs without a break. */
const NODES_IN_ONE_RUN = 300_000;

/** The core's memory never shrinks: above this size a new player starts with a new core. */
const RESTART_BYTES = 64 << 20;

/** What the session needs from outside. */
export interface Surroundings {
  startCore(): Promise<Core>;
  /** Load a net file, still compressed. */
  loadNet(name: string): Promise<Response>;
  netNames: readonly string[];
  notice(notice: EngineNotice): void;
}

export class Session implements NetSource {
  private readonly definitions = new Map<string, GameDefinition>();
  private readonly games = new Map<string, CoreGame>();
  private readonly stages = new Map<CoreGame, CoreGame | null>();
  private player: { name: string; player: Player } | null = null;
  private loading: Promise<NetFile[]> | null = null;

  private constructor(
    private core: Core,
    readonly runsNets: boolean,
    private readonly around: Surroundings,
  ) {}

  static async start(runsNets: boolean, around: Surroundings): Promise<Session> {
    return new Session(await around.startCore(), runsNets, around);
  }

  get memoryBytes(): number {
    return this.core.memoryBytes;
  }

  addGame(key: string, definition: GameDefinition): void {
    this.definitions.set(key, definition);
  }

  private game(key: string): CoreGame {
    let game = this.games.get(key);
    if (!game) {
      const definition = this.definitions.get(key);
      if (!definition) throw new EngineError('rules', `${key}: an unknown game`);
      this.makeRoom();
      try {
        game = new CoreGame(this.core, new Game(definition));
      } catch (error) {
        if (error instanceof Unsupported) throw new EngineError('rules', error.message);
        throw error;
      }
      this.games.set(key, game);
    }
    return game;
  }

  /** Keep one game at a time in the core: another is built in milliseconds. */
  private makeRoom(): void {
    this.dropPlayer();
    for (const stage of this.stages.values()) stage?.close();
    for (const game of this.games.values()) game.close();
    this.stages.clear();
    this.games.clear();
  }

  private dropPlayer(): void {
    this.player?.player.close();
    this.player = null;
  }

  newGame(): void {
    this.dropPlayer();
  }

  // --- nets

  nets(): Promise<readonly NetFile[]> {
    this.loading ??= this.loadNets();
    return this.loading;
  }

  private async loadNets(): Promise<NetFile[]> {
    const { netNames, loadNet, notice } = this.around;
    if (!this.runsNets) {
      const message = 'this browser has no SIMD or no DecompressionStream: mcts plays instead of nets';
      notice({ code: 'browser', message });
      return [];
    }
    const nets: NetFile[] = [];
    for (const name of netNames) {
      try {
        nets.push(await NetFile.read(name, await loadNet(name)));
      } catch (error) {
        // Tried again with the next request for a net.
        this.loading = null;
        notice({ code: 'net', message: `mcts plays instead of a net: ${String(error)}` });
      }
    }
    return nets;
  }

  async netFor({ game }: CoreGame): Promise<{ net: NetFile; entry: NetGame } | null> {
    if (game.stages.length !== 1) return null;
    for (const net of await this.nets()) {
      const entry = net.find(game);
      if (entry) return { net, entry };
    }
    return null;
  }

  async firstStage(game: CoreGame): Promise<CoreGame | null> {
    if (game.game.stages.length === 1) return null;
    if (!this.stages.get(game)) {
      const stage = firstStageGame(game.game, await this.nets());
      this.stages.set(game, stage && new CoreGame(this.core, stage));
    }
    return this.stages.get(game) ?? null;
  }

  // --- requests

  async answer(key: string, placed: Placed, request: Request, turn: Turn, progress: (nodes: number) => void) {
    const name = playerName(key, request);
    if (name !== null && name !== this.player?.name && this.memoryBytes > RESTART_BYTES) {
      this.makeRoom();
      this.core = await this.around.startCore();
    }
    const place = new Place(this.game(key), placed);
    try {
      return await this.answerAt(key, place, request, turn, progress);
    } finally {
      place.close();
    }
  }

  private async answerAt(
    key: string,
    place: Place,
    request: Request,
    turn: Turn,
    progress: (nodes: number) => void,
  ): Promise<Answers[keyof Answers]> {
    switch (request.op) {
      case 'prepare':
        await this.playerOf(key, request.player, null).prepare(place);
        return null;
      case 'legal':
        return this.core.legal(place.position);
      case 'score': {
        const { over, halfPoints, winner } = this.core.info(place.position);
        const seat = winner === 0 || winner === 1 ? winner : null;
        return { over, scores: [halfPoints[0] / 2, halfPoints[1] / 2], winner: seat };
      }
      case 'think':
        return this.think(key, place, request, turn);
      case 'solve':
        return this.solve(place, request, turn, progress);
    }
  }

  private playerOf(key: string, text: string, seed: number | null): Player {
    const name = playerName(key, { op: 'think', player: text, seed });
    if (this.player?.name !== name) {
      this.dropPlayer();
      this.player = { name, player: makePlayer(text, seed, this) };
    }
    return this.player.player;
  }

  private think(key: string, place: Place, request: ThinkRequest, turn: Turn): Promise<Answers['think']> {
    if (this.core.info(place.position).over)
      throw new EngineError('position', 'the game is over: nothing to choose');
    const { player, seed, limit, match } = request;
    for (const [name, value] of Object.entries(limit)) {
      if (typeof value === 'number' && !(value > 0 && value < Infinity))
        throw new EngineError('position', `${name}=${value}: invalid (expected a number above 0)`);
    }
    return this.playerOf(key, player, seed).choose(place, limit, objectiveOf(match), turn);
  }

  /** Solve in slices, so that the worker hears when it is to stop; the table keeps what was found. */
  private async solve(
    place: Place,
    request: SolveRequest,
    turn: Turn,
    progress: (nodes: number) => void,
  ): Promise<Solution> {
    const { allBest, winnerOnly } = request;
    const objective = objectiveOf(request.match) ?? { lead: 0, tieWinner: -1 };
    this.dropPlayer();
    const solver = this.core.solver(place.game.handle, SOLVER_MIB);
    const began = nowS();
    let [nodes, slice] = [0, FIRST_SLICE_S];
    try {
      for (;;) {
        const left = request.nodes === null ? null : request.nodes - nodes;
        const timeLeft = request.seconds === null ? Infinity : request.seconds - (nowS() - began);
        const whole = left !== null && request.nodes! <= NODES_IN_ONE_RUN && request.seconds === null;
        const limits = { nodes: left, seconds: whole ? null : Math.max(0.001, Math.min(slice, timeLeft)) };
        const found = this.core.solve(solver, place.position, { ...limits, allBest, winnerOnly }, objective);
        nodes += found.nodes;
        const seconds = nowS() - began;
        const ended = whole || turn.stopped || (request.nodes !== null && nodes >= request.nodes);
        if (found.solved || ended || (request.seconds !== null && seconds >= request.seconds))
          return { ...solutionOf(found, winnerOnly), nodes, seconds };
        progress(nodes);
        await turn.pause();
        slice = Math.min(2 * slice, MAX_SLICE_S);
      }
    } finally {
      this.core.free('solver', solver);
    }
  }
}

/** What must be equal for a player to be kept; null if a request needs none. */
function playerName(game: string, request: { op: 'think'; player: string; seed: number | null }): string;
function playerName(game: string, request: Request): string | null;
function playerName(game: string, request: { op: string; player?: string; seed?: number | null }) {
  if (request.op === 'solve') return '';
  if (request.player === undefined) return null;
  return JSON.stringify([game, request.player, request.seed ?? null]);
}

function objectiveOf(match: MatchContext | null): Objective | null {
  return match && { lead: Math.round(2 * match.lead), tieWinner: match.tieWinner ?? 2 };
}
