/** Runs Python code of the project from a test. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GameDefinition } from '../src/rules/definition';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const venv = path('../../.venv/bin/python');

/** Run a script, or `-c CODE`, in the root of the repository and parse the JSON that it prints. */
export function runPython<T>(...args: string[]): T {
  const python = existsSync(venv) ? venv : 'python3';
  const root = path('../..');
  const env = { ...process.env, PYTHONPATH: root };
  const options = { encoding: 'utf8', maxBuffer: 1 << 28, cwd: root, env } as const;
  return JSON.parse(execFileSync(python, args, options)) as T;
}

export function gameDefinitions(...games: string[]): GameDefinition[] {
  const code =
    'import json, sys; from taiji.server.domain.game_definition import game_definition as d; ' +
    "print(json.dumps([d(game).model_dump(mode='json') for game in sys.argv[1:]]))";
  return runPython('-c', code, ...games);
}
