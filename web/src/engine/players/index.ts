/** Players by their text, as on the command line. */

import type { Objective } from '../core';
import type { Place } from '../place';
import { PythonRandom } from '../random';
import { EngineError, type Limit } from '../types';
import { Endgame } from './endgame';
import { NO_OPINION, type Choice } from './info';
import { makeLevel } from './levels';
import { MctsPlayer, searchPreset, uctPreset } from './mcts';
import { NeuralPlayer, type NetSource } from './neural';
import type { Player } from './player';

/** A player that answers at once and keeps nothing. */
class InstantPlayer implements Player {
  constructor(private readonly pick: (place: Place) => Choice) {}

  async prepare(): Promise<void> {}

  async choose(place: Place, _limit: Limit, _objective: Objective | null): Promise<Choice> {
    return this.pick(place);
  }

  newGame(): void {}

  close(): void {}
}

function random(rng: PythonRandom): Player {
  return new InstantPlayer(({ core, position }) => ({
    move: rng.choice(core.legal(position)),
    info: NO_OPINION,
  }));
}

function lookahead(depth: number, rng: PythonRandom): Player {
  return new InstantPlayer(({ core, position }) => {
    const [move, halfPoints] = core.lookAhead(position, depth, rng.bits63());
    return { move, info: { ...NO_OPINION, margin: halfPoints / 2, pv: [move] } };
  });
}

/** Parse `name=number,…`; only these names are allowed. */
function numbers<K extends string>(
  player: string,
  text: string,
  names: readonly K[],
): Partial<Record<K, number>> {
  const found: Partial<Record<K, number>> = {};
  for (const part of text ? text.split(',') : []) {
    const [name, value] = part.split('=');
    const known = names.find((one) => one === name);
    if (!known || !(Number(value) > 0))
      throw new EngineError('player', `${player}: invalid option ${part} (expected ${names.join(', ')})`);
    found[known] = Number(value);
  }
  return found;
}

/** Make the player of a text; throws an `EngineError` with the code `player` if there is none. */
export function makePlayer(text: string, seed: number | null, source: NetSource): Player {
  const [name, ...rest] = text.split(':');
  const options = rest.join(':');
  const rng = () => new PythonRandom(seed ?? Math.floor(Math.random() * 2 ** 53));
  if (['random', 'greedy', 'alphabeta'].includes(name) && options)
    throw new EngineError('player', `${name}: takes no options`);
  switch (name) {
    case 'random':
      return random(rng());
    case 'greedy':
      return lookahead(1, rng());
    case 'alphabeta':
      return lookahead(2, rng());
    case 'level':
      return makeLevel(source, options, seed);
    case 'mcts':
    case 'uct': {
      const limit = numbers(name, options, ['playouts', 'seconds'] as const);
      const preset = name === 'mcts' ? searchPreset : uctPreset;
      const endgame = name === 'mcts' ? new Endgame() : null;
      return new MctsPlayer(preset, { seed: seed ?? 0 }, limit, endgame);
    }
    case 'neural': {
      const names = ['playouts', 'evaluations', 'seconds', 'max_evaluations'] as const;
      const { max_evaluations, ...limits } = numbers(name, options, names);
      return new NeuralPlayer(source, { seed: seed ?? 0, limits, maxEvaluations: max_evaluations ?? null });
    }
    default:
      throw new EngineError(
        'player',
        `unknown player ${name} (expected random, greedy, alphabeta, uct, mcts, neural or level:N)`,
      );
  }
}
