/** The one engine of the page; its worker starts with the first request. */

import basic from './built/taiji.wasm?url';
import simd from './built/taiji-simd.wasm?url';
import battleOfLits from './nets/battle-of-lits.net?url';
import taiji from './nets/taiji.net?url';
import tailits from './nets/tailits.net?url';
import { WorkerEngine } from './client';
import type { Engine } from './types';

export * from './types';

/** Absolute, because the worker's script has an address of its own. */
function address(url: string): string {
  return new URL(url, document.baseURI).href;
}

export const engine: Engine = new WorkerEngine(
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  {
    simd: address(simd),
    basic: address(basic),
    nets: {
      taiji: address(taiji),
      tailits: address(tailits),
      'battle-of-lits': address(battleOfLits),
    },
  },
);
