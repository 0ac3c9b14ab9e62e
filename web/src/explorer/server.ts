/** The openings of this server's own games, asked by the keys of the positions. */

import { symmetriesOf } from '../engine/symmetries';
import { api } from '../net/api';
import { State } from '../rules/state';
import { explored, neighbourKeys, type Exploration, type Stats } from './book';
import { keyOf, lanesOf } from './keys';

/** The server takes this many keys at once; a position with more different moves shows the first. */
const MAX_KEYS = 1000;

export async function askServer(state: State): Promise<Exploration> {
  const symmetries = symmetriesOf(state.game);
  const keys = neighbourKeys(state, symmetries);
  const start = keyOf(lanesOf(State.start(state.game), symmetries));
  const wanted = [...new Set([start, keys.here, ...keys.moves.keys()])].slice(0, MAX_KEYS);
  const { positions } = await api.openings(state.game.name, wanted);
  const found = new Map<number, Stats>(
    positions.map(({ key, games, light_wins, light_margin }) => [
      key,
      { games, lightWins: light_wins, lightMargin: light_margin, lightValue: null },
    ]),
  );
  return {
    ...explored(state, keys, (key) => found.get(key) ?? null),
    bookGames: found.get(start)?.games ?? 0,
  };
}
