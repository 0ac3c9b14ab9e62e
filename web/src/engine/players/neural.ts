/** The player `neural`, as `players/neural.py`: PUCT with a net, and exact play in the endgame. */

import type { Handle, NeuralResult, Objective } from '../core';
import { Numbers } from '../describe';
import { decidesByMargin, type NetFile, type NetGame } from '../net';
import { CoreGame, Place } from '../place';
import type { Limit } from '../types';
import { CONSTRAINED_TIME_FRACTION, Endgame } from './endgame';
import { bestAction, infoFromSearch, type Choice, type Info } from './info';
import { applyWinCheck, MctsPlayer, Prover, searchPreset, solved } from './mcts';
import {
  DEFAULT_THINK_S,
  GAME_RULE,
  MoveClock,
  REPORT_S,
  runInSlices,
  STOPPED_SEARCH_S,
  type Player,
  type Turn,
} from './player';

const MEBIBYTE = 1 << 20;
const PUCT_MIB = 8;
/** Trees of the players that help: beside a net there is less memory for them. */
const FALLBACK_MIB = 32;
const ENDGAME_MIB = 12;
/** In the first stage of a double game, fraction of the time for the win probability of the full game. */
const FULL_GAME_FRACTION = 0.1;
/** Playouts that take about the time of one evaluation. */
const PLAYOUTS_PER_EVALUATION = 100;
const HANDOVER_PLIES = 9;
/** Policy temperature in games with placement constraints, where the policy is overconfident. */
const CONSTRAINED_TEMPERATURE = 2;

/** Gives the nets that run here, and those of their games that are asked for. */
export interface NetSource {
  /** Every net that could be loaded. */
  nets(): Promise<readonly NetFile[]>;
  /** The net of a game, and its entry; null if there is none or it did not load. */
  netFor(game: CoreGame): Promise<{ net: NetFile; entry: NetGame } | null>;
  /** The first stage of a double game as a game of its own, if a net knows it. */
  firstStage(game: CoreGame): Promise<CoreGame | null>;
}

export interface NeuralSettings {
  seed: number;
  limits: { playouts?: number; evaluations?: number; seconds?: number };
  /** Most evaluations per move beside the limit's seconds; its playouts are then for games without a net. */
  maxEvaluations: number | null;
  /** Whether to win by the mirror theorem where that is possible. */
  mirrors?: boolean;
}

interface Context {
  game: CoreGame;
  net: NetFile;
  netHandle: Handle;
  search: Handle;
}

export class NeuralPlayer implements Player {
  private readonly fallback: MctsPlayer;
  private readonly endgamePlayer: MctsPlayer;
  private readonly endgame: Endgame;
  private context: Context | null = null;

  constructor(
    private readonly source: NetSource,
    private readonly settings: NeuralSettings,
  ) {
    const { seed, limits, mirrors } = settings;
    const descents = limits.playouts ?? limits.evaluations;
    const fixed: Limit = { seconds: limits.seconds };
    if (descents !== undefined) fixed.playouts = descents * PLAYOUTS_PER_EVALUATION;
    const options = (mebibytes: number) => ({ seed, memory: mebibytes * MEBIBYTE });
    this.endgame = new Endgame(mirrors);
    this.fallback = new MctsPlayer(searchPreset, options(FALLBACK_MIB), fixed, new Endgame(mirrors));
    this.endgamePlayer = new MctsPlayer(searchPreset, options(ENDGAME_MIB), fixed, this.endgame);
  }

  async prepare(place: Place): Promise<void> {
    const stage = place.stageIndex === 0 ? await this.source.firstStage(place.game) : null;
    if (!(await this.ready(stage ?? place.game)) || stage) await this.fallback.prepare(place);
  }

  async choose(place: Place, limit: Limit, objective: Objective | null, turn: Turn): Promise<Choice> {
    const stage = place.stageIndex === 0 ? await this.source.firstStage(place.game) : null;
    // The second stage needs nothing of the first.
    if (place.stageIndex > 0) this.freeStage();
    if (!stage) return this.chooseWithNet(place, limit, objective, turn);
    return this.chooseInStage(place, stage, limit, objective, turn);
  }

  /** Play the first stage of a double game as a game of its own; `mcts` evaluates the full game. */
  private async chooseInStage(
    place: Place,
    stage: CoreGame,
    limit: Limit,
    objective: Objective | null,
    turn: Turn,
  ): Promise<Choice> {
    if (!limit.infinite && limit.seconds === undefined && limit.playouts === undefined)
      limit = { ...limit, seconds: DEFAULT_THINK_S };
    const fullLimit = limit.infinite ? { seconds: REPORT_S } : scale(limit, FULL_GAME_FRACTION);

    const silent = withReport(turn, () => {});
    const timed = this.settings.limits.seconds !== undefined;
    const full = timed ? null : (await this.fallback.choose(place, fullLimit, objective, silent)).info;
    const rescale = (info: Info) => rescaleToFullGame(info, full);
    const rest = turn.stopped ? { seconds: STOPPED_SEARCH_S } : scale(limit, 1 - FULL_GAME_FRACTION);
    const inStage = new Place(stage, place.placed);
    try {
      const own = withReport(turn, (info) => turn.report(rescale(info)));
      const { move, info } = await this.chooseWithNet(inStage, rest, objective, own);
      return { move, info: rescale(info) };
    } finally {
      inStage.close();
    }
  }

  private async chooseWithNet(
    place: Place,
    limit: Limit,
    objective: Objective | null,
    turn: Turn,
  ): Promise<Choice> {
    const limits = this.limits(limit);
    const seconds = limits.seconds ?? null;
    const clock = new MoveClock(seconds);
    const context = await this.ready(place.game);
    // A lead in points cannot be added to margins that are ratios.
    if (!context || (objective && context.entry.ratio))
      return this.fallback.choose(place, limit, objective, turn);
    if (place.isConstrained && place.pliesLeft() <= HANDOVER_PLIES)
      return this.endgamePlayer.choose(place, limit, objective, turn);
    const { net, entry } = context;
    const { endgame } = this;
    const { core } = place;
    const goal = objective ?? GAME_RULE;
    const calibrate = objective === null && !decidesByMargin(place.game.game, entry);
    const show = (result: NeuralResult) => calibratedInfo(net, result, calibrate);
    const openEnded = limit.infinite && !this.limitsItself;
    const descents = limits.playouts ?? limits.evaluations ?? null;
    const playouts = descents === null ? null : descents * PLAYOUTS_PER_EVALUATION;
    const proven = openEnded ? null : endgame.mirrorWin(place, goal);
    if (proven) return proven;
    const plan = openEnded ? 'none' : endgame.plan(place, { seconds, playouts });
    if (plan === 'solve') {
      const solution = endgame.solve(place, { seconds, playouts }, goal);
      if (solution) return solved(place, solution);
    }
    const prover = openEnded ? new Prover(endgame, place, goal) : null;
    const fraction = plan === 'check' ? 1 - CONSTRAINED_TIME_FRACTION : 1;
    const remaining = turn.stopped ? STOPPED_SEARCH_S : clock.remaining(fraction);
    core.startNeural(context.search, place.position, { ...limits, seconds: remaining }, goal);
    const current = () => core.neuralResult(context.search);
    await runInSlices(
      core,
      'neural',
      context.search,
      turn,
      () => show(current()),
      () => {
        if (prover?.work()) core.stop('neural', context.search);
      },
    );
    if (prover?.solution) return solved(place, prover.solution);
    let result = current();
    if (plan === 'check' && !turn.stopped && !result.proven) {
      const moves = result.moves.map(({ action }) => action);
      const budget = { seconds: clock.remaining(), playouts };
      result = applyWinCheck(result, endgame.findWin(place, moves, budget, goal));
    }
    return { move: bestAction(result), info: show(result) };
  }

  private get limitsItself(): boolean {
    return this.settings.maxEvaluations !== null || Object.keys(this.settings.limits).length > 0;
  }

  private limits(limit: Limit): NeuralSettings['limits'] {
    const { limits, maxEvaluations } = this.settings;
    if (Object.keys(limits).length) return limits;
    if (maxEvaluations !== null) return { evaluations: maxEvaluations, seconds: limit.seconds };
    if (limit.infinite) return {};
    if (limit.seconds === undefined && limit.playouts === undefined) return { seconds: DEFAULT_THINK_S };
    return { playouts: limit.playouts, seconds: limit.seconds };
  }

  private async ready(game: CoreGame): Promise<(Context & { entry: NetGame }) | null> {
    const found = await this.source.netFor(game);
    if (!found) return null;
    if (this.context?.game !== game) {
      this.freeContext();
      this.context = this.build(game, found.net, found.entry);
    }
    return { ...this.context, entry: found.entry };
  }

  private build(game: CoreGame, net: NetFile, entry: NetGame): Context {
    const { core } = game;
    const { width, height } = game.game.boards[0];
    const temperature = game.game.stages[0].traits.is_constrained ? CONSTRAINED_TEMPERATURE : 1;
    const numbers = new Numbers();
    const options = [1, 0.5, 500, 0.15, temperature, this.settings.seed, PUCT_MIB * MEBIBYTE, 1, 1];
    for (const option of options) numbers.double(option);
    const netHandle = core.net(net.tensors(), height, width);
    const search = core.neural(game.handle, netHandle, net.describe(numbers, entry, game.game).bytes(), 1);
    return { game, net, netHandle, search };
  }

  private freeStage(): void {
    this.endgamePlayer.close();
    this.freeContext();
  }

  private freeContext(): void {
    if (!this.context) return;
    const { game, search, netHandle } = this.context;
    game.core.free('neural', search);
    game.core.free('net', netHandle);
    this.context = null;
  }

  newGame(): void {
    this.fallback.newGame();
    this.endgamePlayer.newGame();
    if (this.context) this.context.game.core.reset('neural', this.context.search);
  }

  close(): void {
    this.fallback.close();
    this.freeStage();
  }
}

/** The same turn with another listener. */
function withReport(turn: Turn, report: Turn['report']): Turn {
  return {
    get stopped() {
      return turn.stopped;
    },
    pause: () => turn.pause(),
    wait: (seconds) => turn.wait(seconds),
    report,
  };
}

function scale(limit: Limit, fraction: number): Limit {
  const scaled: Limit = { ...limit };
  if (limit.seconds !== undefined) scaled.seconds = fraction * limit.seconds;
  if (limit.playouts !== undefined) scaled.playouts = Math.max(1, roundHalfEven(fraction * limit.playouts));
  return scaled;
}

/** Round as Python does. */
function roundHalfEven(value: number): number {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 ? low + 1 : low;
}

function calibratedInfo(net: NetFile, result: NeuralResult, calibrate: boolean): Info {
  const info: Info = { ...infoFromSearch(result), exact: result.proven };
  if (!calibrate) return info;
  const shown = (winProb: number | null) => (winProb === null ? null : net.calibrated(winProb));
  return {
    ...info,
    winProb: shown(info.winProb),
    candidates: info.candidates.map((one) => ({ ...one, winProb: shown(one.winProb) })),
  };
}

/** The evaluation of a stage with the values of the double game that it belongs to. */
function rescaleToFullGame(stage: Info, full: Info | null): Info {
  const shift = (full?.winProb ?? 0.5) - (stage.winProb ?? 0.5);
  return {
    ...stage,
    winProb: full?.winProb ?? null,
    margin: full?.margin ?? null,
    exact: false,
    candidates: stage.candidates.map((one) => ({
      ...one,
      winProb: Math.min(1, Math.max(0, (one.winProb ?? 0.5) + shift)),
      margin: null,
    })),
  };
}
