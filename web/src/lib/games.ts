/** Games and the catalogue, each fetched once. */

import { api } from '../net/api';
import type { Catalogue } from '../net/types';
import { Game } from '../rules/game';

const games = new Map<string, Promise<Game>>();
let catalogue: Promise<Catalogue> | null = null;

export function loadGame(text: string): Promise<Game> {
  let game = games.get(text);
  if (!game) {
    game = api.gameDefinition(text).then((definition) => new Game(definition));
    game.catch(() => games.delete(text));
    games.set(text, game);
  }
  return game;
}

export function loadCatalogue(): Promise<Catalogue> {
  catalogue ??= api.catalogue();
  catalogue.catch(() => (catalogue = null));
  return catalogue;
}
