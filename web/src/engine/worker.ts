/** The worker of the engine: loads the core and answers one request after another. */

import { Core } from './core';
import type { Files, FromWorker, ToWorker } from './messages';
import { canReadNets } from './net';
import { Session } from './session';
import { EngineError, type EngineErrorCode } from './types';

type Job = Extract<ToWorker, { type: 'request' }>;
type NewGame = Extract<ToWorker, { type: 'new-game' }>;

/** A module that uses one SIMD instruction: browsers without SIMD refuse it. */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

let files: Files;
let session: Promise<Session> | null = null;
const definitions = new Map<string, Extract<ToWorker, { type: 'game' }>>();
const stopped = new Set<number>();
const waiting: (Job | NewGame)[] = [];
let current: number | null = null;
/** The worker is busy, but with no request. */
const NOBODY = -1;

function send(message: FromWorker): void {
  postMessage(message);
}

async function load(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return response;
}

/** Compile while the file arrives, which needs exactly this media type: not every web host names it. */
async function compile(file: Response): Promise<WebAssembly.Module> {
  const streams = /^\s*application\/wasm\s*$/i.test(file.headers.get('content-type') ?? '');
  return streams ? WebAssembly.compileStreaming(file) : WebAssembly.compile(await file.arrayBuffer());
}

async function startSession(): Promise<Session> {
  const simd = WebAssembly.validate(SIMD_PROBE);
  const module = await compile(await load(simd ? files.simd : files.basic));
  const made = await Session.start(simd && canReadNets(), {
    startCore: () => Core.start(module),
    netNames: Object.keys(files.nets),
    loadNet: (name) => load(files.nets[name]),
    notice: (notice) => send({ type: 'notice', notice }),
  });
  for (const { key, definition } of definitions.values()) made.addGame(key, definition);
  return made;
}

async function start(message: Extract<ToWorker, { type: 'start' }>): Promise<void> {
  files = message.files;
  try {
    session = startSession();
    const { runsNets } = await session;
    send({ type: 'ready', nets: runsNets, readyMs: Date.now() - message.startedAt });
  } catch (error) {
    session = null;
    send({ type: 'unavailable', message: String(error) });
  }
}

/** Give messages that have arrived their turn. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

async function wait(id: number, seconds: number): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  while (!stopped.has(id) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, Math.min(50, end - performance.now())));
}

async function run({ id, game, placed, request }: Job): Promise<void> {
  const turn = {
    get stopped() {
      return stopped.has(id);
    },
    pause,
    wait: (seconds: number) => wait(id, seconds),
    report: (info: Extract<FromWorker, { type: 'report' }>['info']) => send({ type: 'report', id, info }),
  };
  try {
    session ??= startSession();
    const progress = (nodes: number) => send({ type: 'progress', id, nodes });
    const answer = await (await session).answer(game, placed, request, turn, progress);
    send({ type: 'done', id, answer });
  } catch (error) {
    const [code, message] = reasonOf(error);
    // Anything but a named error may have left the core half-way: the next request starts a new one.
    if (!(error instanceof EngineError) || code === 'memory') session = null;
    send({ type: 'failed', id, code, message });
  }
}

function reasonOf(error: unknown): [EngineErrorCode, string] {
  if (error instanceof EngineError) return [error.code, error.message];
  return ['crashed', error instanceof Error ? error.message : String(error)];
}

async function work(): Promise<void> {
  if (current !== null) return;
  current = NOBODY;
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    if (job.type === 'new-game') {
      await session?.then((made) => made.newGame()).catch(() => undefined);
      continue;
    }
    current = job.id;
    await run(job);
    stopped.delete(job.id);
  }
  current = null;
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'start':
      void start(data);
      break;
    case 'game':
      definitions.set(data.key, data);
      void session?.then((made) => made.addGame(data.key, data.definition)).catch(() => undefined);
      break;
    case 'request':
    case 'new-game':
      waiting.push(data);
      void work();
      break;
    case 'stop':
      if (data.id === current || waiting.some((job) => job.type === 'request' && job.id === data.id))
        stopped.add(data.id);
      break;
  }
});
