import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { cataloguePath, definitionPath } from '../src/net/definitionPath.ts';
import { OFFLINE_GAMES } from './offlineGames.ts';

/** Files above this size, except the engine, and nets are cached in the background. */
const MAX_FIRST_BYTES = 1_000_000;

/** Files that other sites and old browsers ask for, never the app. */
const FOR_OTHERS = ['preview.png', 'favicon.ico'];

/** Write `worker.js`, the service worker, with the lists of files and definitions to cache; all paths are relative to it. */
export function serviceWorker(source: string, publicFolder: string): Plugin {
  let server = true;
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    configResolved({ mode }) {
      server = mode !== 'static';
    },
    generateBundle(_options, bundle) {
      const assets = Object.entries(bundle).filter(([name]) => name.startsWith('assets/'));
      const isLarge = ([name, file]: (typeof assets)[number]) =>
        name.endsWith('.net') ||
        (!name.endsWith('.wasm') && file.type === 'asset' && file.source.length > MAX_FIRST_BYTES);
      const names = (entries: typeof assets) => entries.map(([name]) => name).sort();
      const lists = {
        FILES: names(assets.filter((entry) => !isLarge(entry))),
        LARGE_FILES: names(assets.filter(isLarge)),
        PUBLIC_FILES: publicFiles(publicFolder),
        DEFINITIONS: [
          cataloguePath(server),
          ...OFFLINE_GAMES.map((game) => definitionPath(game, server)),
        ].map((path) => path.replace(/^\//, '')),
      };
      const code = readFileSync(source, 'utf8');
      const version = createHash('sha256')
        .update(JSON.stringify(lists))
        .update(code)
        .digest('hex')
        .slice(0, 12);
      const constants = Object.entries({ VERSION: version, ...lists });
      const head = constants.map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`).join('');
      this.emitFile({ type: 'asset', fileName: 'worker.js', source: head + code });
    },
  };
}

function publicFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && !FOR_OTHERS.includes(entry.name) && !entry.name.startsWith('.'),
  );
  return files.map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1)).sort();
}
