/** What the WebAssembly core finds where the native one (native.py) has found something: in Node.js and in Chromium. */

import type { Core, Handle, Objective } from '../src/engine/core';
import { solutionOf } from '../src/engine/solution';
import { symmetriesOf } from '../src/engine/symmetries';
import type { GameDefinition } from '../src/rules/definition';
import { Game } from '../src/rules/game';

interface SearchResult {
  nodes: number;
  playouts: number;
  pv: number[];
  win_prob: number;
  margin: number;
  moves: [number, number, number, number][];
}
interface SearchCase {
  options: number[];
  placed: number[][];
  swapped: boolean;
  playouts: number;
  results: SearchResult[];
}
interface EndgameCase {
  placed: number[][];
  swapped: boolean;
  max_nodes: number;
  nodes: number;
  solved: boolean;
  winner: number | null;
  margin: number | null;
  best: number[];
  pv: number[];
}
export interface Native {
  definition: GameDefinition;
  symmetries: readonly (readonly number[])[];
  random_games: number;
  hash: string;
  searches: SearchCase[];
  endgames: EndgameCase[];
}

const GAME_RULE: Objective = { lead: 0, tieWinner: -1 };
export const START = { placed: [], swapped: false };

/** Answer the questions of `native` with the WebAssembly core; equal cores give an equal answer. */
export function findAll(core: Core, native: Native): Native {
  const rules = new Game(native.definition);
  const game = core.game(rules);
  return {
    ...native,
    symmetries: symmetriesOf(rules),
    hash: core.randomGamesHash(core.position(game, START), 1, native.random_games),
    searches: native.searches.map((search) => ({ ...search, results: searchTwice(core, game, search) })),
    endgames: native.endgames.map((endgame) => solve(core, game, endgame)),
  };
}

function searchTwice(core: Core, game: Handle, { options, placed, swapped, playouts }: SearchCase) {
  const search = core.search(game, options);
  const position = core.position(game, { placed, swapped });
  const results: SearchResult[] = [];
  while (results.length < 2 && !core.info(position).over) {
    core.startSearch(search, position, playouts, null, GAME_RULE);
    // Slices of no particular length: the result must not depend on them.
    while (!core.step('search', search, 0.0005));
    const { nodes, playouts: done, pv, winProb, margin, moves } = core.searchResult(search);
    results.push({
      nodes,
      playouts: done,
      pv,
      win_prob: winProb,
      margin,
      moves: moves.map((move) => [move.action, move.visits, move.winProb, move.margin]),
    });
    core.play(position, moves[0].action);
  }
  core.free('position', position);
  core.free('search', search);
  return results;
}

function solve(core: Core, game: Handle, { placed, swapped, max_nodes }: EndgameCase): EndgameCase {
  const position = core.position(game, { placed, swapped });
  const solver = core.solver(game, 4);
  const found = core.solve(solver, position, { nodes: max_nodes }, GAME_RULE);
  const { nodes, solved, best, pv } = found;
  const { winner, margin } = solutionOf(found, false);
  core.free('solver', solver);
  core.free('position', position);
  return { placed, swapped, max_nodes, nodes, solved, winner, margin, best, pv };
}
