import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Write `worker.js`, the service worker, with the list of built files to cache. */
export function serviceWorker(source: string): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
      const list = JSON.stringify(files.sort().map((name) => `/${name}`));
      const code = readFileSync(source, 'utf8');
      const version = createHash('sha256').update(list).update(code).digest('hex').slice(0, 12);
      const head = `const FILES = ${list};\nconst VERSION = ${JSON.stringify(version)};\n`;
      this.emitFile({ type: 'asset', fileName: 'worker.js', source: head + code });
    },
  };
}
