/** Levels 1 to 10, as `players/levels.py`: a net with few evaluations above, a small tree search below, human mistakes. */

import { levelsOf, type Level } from '../../lib/levelTable';
import type { Objective } from '../core';
import type { Place } from '../place';
import { PythonRandom } from '../random';
import { EngineError, type Limit } from '../types';
import { Endgame } from './endgame';
import { NO_OPINION, type CandidateMove, type Choice } from './info';
import { MctsPlayer, searchPreset } from './mcts';
import { NeuralPlayer, type NetSource } from './neural';
import { nowS, type Player, type Turn } from './player';

/** Playouts per evaluation of a level in games and endgames that its net does not play. */
const PLAYOUTS_PER_EVALUATION = 40;
/** Range of the answer time at human pace. */
const DELAY_S = [0.5, 2.5] as const;

/** A candidate with a probability proportional to its visits to the power of 1 / temperature. */
export function chooseCandidate<T extends Pick<CandidateMove, 'visits'>>(
  candidates: readonly T[],
  temperature: number,
  random: PythonRandom,
): T {
  const most = Math.max(...candidates.map(({ visits }) => visits ?? 0)) || 1;
  const weights = candidates.map(({ visits }) => ((visits ?? 0) / most) ** (1 / temperature));
  let rest = random.random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    rest -= weight;
    if (rest < 0) return candidates[index];
  }
  return candidates[0];
}

export class LevelPlayer implements Player {
  private readonly random: PythonRandom;
  private readonly searchSeed: number;
  private prepared: Level | null = null;
  private search: Player | null = null;

  constructor(
    private readonly source: NetSource,
    private readonly level: number,
    seed: number | null,
    private readonly humanPace: boolean,
  ) {
    this.random = new PythonRandom(seed ?? Math.floor(Math.random() * 2 ** 53));
    this.searchSeed = seed === null ? 0 : seed % 2 ** 32;
  }

  prepare(place: Place): Promise<void> {
    return this.ready(this.levelIn(place)).prepare(place);
  }

  async choose(place: Place, limit: Limit, objective: Objective | null, turn: Turn): Promise<Choice> {
    const began = nowS();
    const level = this.levelIn(place);
    let choice: Choice;
    if (this.random.random() < (level.blunder_rate ?? 0)) {
      choice = { move: this.random.choice(place.core.legal(place.position)), info: NO_OPINION };
    } else {
      // The net's player uses the playouts in games and endgames that the net does not play.
      const own: Limit = { playouts: level.playouts ?? PLAYOUTS_PER_EVALUATION * level.evaluations! };
      if (limit.seconds !== undefined) own.seconds = limit.seconds;
      choice = await this.ready(level).choose(place, own, objective, turn);
      const { info } = choice;
      if (level.temperature && !info.exact) {
        const { move, winProb, margin } = chooseCandidate(info.candidates, level.temperature, this.random);
        if (move !== choice.move) choice = { move, info: { ...info, winProb, margin, pv: [move] } };
      }
    }
    if (this.humanPace) {
      const delay = this.random.uniform(...DELAY_S);
      const most = limit.seconds === undefined ? delay : limit.seconds / 2;
      await turn.wait(Math.max(0, Math.min(delay, most) - (nowS() - began)));
    }
    return choice;
  }

  private levelIn({ game: { game } }: Place): Level {
    return levelsOf(game.name, game.boards[0].width)[this.level - 1];
  }

  /** The player that searches for a level. */
  private ready(level: Level): Player {
    if (!this.search || this.prepared !== level) {
      this.search?.close();
      const { evaluations, temperature, blunder_rate } = level;
      const seed = this.searchSeed;
      // Who makes human mistakes does not prove a win.
      const mirrors = !temperature && !blunder_rate;
      this.search = evaluations
        ? new NeuralPlayer(this.source, { seed, limits: {}, maxEvaluations: evaluations, mirrors })
        : new MctsPlayer(searchPreset, { seed }, {}, new Endgame(mirrors));
      this.prepared = level;
    }
    return this.search;
  }

  newGame(): void {
    this.search?.newGame();
  }

  close(): void {
    this.search?.close();
  }
}

/** Make a level from its text: `5` or `5,pace=human`. */
export function makeLevel(source: NetSource, text: string, seed: number | null): LevelPlayer {
  const match = /^(10|[1-9])(,pace=(human|engine))?$/.exec(text);
  if (!match) throw new EngineError('player', `level:${text}: no such level (expected level:1 to level:10)`);
  return new LevelPlayer(source, Number(match[1]), seed, match[3] === 'human');
}
