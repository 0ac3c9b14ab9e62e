/** Loads the WebAssembly core in a test. */

import { readFileSync } from 'node:fs';
import { Core } from '../src/engine/core';

export function wasmModule(name = 'taiji-simd.wasm'): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL(`../src/engine/built/${name}`, import.meta.url)));
}

export function startCore(name?: string): Promise<Core> {
  return Core.start(wasmModule(name));
}
