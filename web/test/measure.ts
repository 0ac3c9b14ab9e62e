/** Measures the WebAssembly core for benchmarks/wasm.py: a line of JSON per measurement in, a line of JSON out. */

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Core, type Handle } from '../src/engine/core';
import { Numbers } from '../src/engine/describe';
import { NetFile } from '../src/engine/net';
import { optionList, searchPreset } from '../src/engine/players/mcts';
import type { GameDefinition } from '../src/rules/definition';
import { Game } from '../src/rules/game';

interface Measurement {
  wasm: string;
  net: string | null;
  game: string;
  kind: 'playouts' | 'search' | 'net';
  seconds: number;
}

const GAME_RULE = { lead: 0, tieWinner: -1 };
const definitions = JSON.parse(readFileSync(process.argv[2], 'utf8')) as Record<string, GameDefinition>;
const games = new Map<string, { core: Core; rules: Game; game: Handle; start: Handle }>();

async function open({ wasm, game: name }: Measurement) {
  let found = games.get(name);
  if (!found) {
    const core = await Core.start(new WebAssembly.Module(readFileSync(wasm)));
    const rules = new Game(definitions[name]);
    const game = core.game(rules);
    found = { core, rules, game, start: core.position(game, { placed: [[]], swapped: false }) };
    games.set(name, found);
  }
  return found;
}

/** Run something; return how much it did, and in how many seconds of the processor. */
function timed(run: () => number): [number, number] {
  const began = process.cpuUsage();
  const done = run();
  const { user, system } = process.cpuUsage(began);
  return [done, (user + system) / 1e6];
}

async function measure(job: Measurement): Promise<[number, number]> {
  const { core, rules, game, start } = await open(job);
  if (job.kind === 'playouts') return timed(() => core.playouts(start, 1e15, job.seconds, 1).playouts);
  if (job.kind === 'search') {
    const search = core.search(game, optionList({ ...searchPreset(rules), seed: 1 }));
    const found = timed(() => {
      core.startSearch(search, start, null, job.seconds, GAME_RULE);
      while (!core.step('search', search, 0.02));
      return core.searchResult(search).playouts;
    });
    core.free('search', search);
    return found;
  }
  const net = await NetFile.read(job.net!, new Response(readFileSync(job.net!)));
  const numbers = new Numbers();
  // Without the cache, so that every descent is an evaluation.
  for (const option of [1, 0.5, 500, 0.15, 1, 1, 8 << 20, 0, 0]) numbers.double(option);
  const { height, width } = rules.boards[0];
  const handle = core.net(net.tensors(), height, width);
  const neural = core.neural(game, handle, net.describe(numbers, net.find(rules)!, rules).bytes(), 8);
  const found = timed(() => {
    core.startNeural(neural, start, { seconds: job.seconds }, GAME_RULE);
    while (!core.step('neural', neural, 0.02));
    return core.neuralResult(neural).evaluations;
  });
  core.free('neural', neural);
  core.free('net', handle);
  return found;
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await measure(JSON.parse(line) as Measurement)));
}
