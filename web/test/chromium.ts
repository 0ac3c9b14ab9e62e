/** The comparison as a script of a page: tests/web/test_engine_equal.py runs it in Chromium. */

import { Core } from '../src/engine/core';
import { findAll, type Native } from './compare';

async function compare(wasm: string, native: Native[]): Promise<Native[]> {
  const module = await WebAssembly.compile(Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0)));
  return Promise.all(native.map(async (one) => findAll(await Core.start(module), one)));
}

Object.assign(globalThis, { compare });
