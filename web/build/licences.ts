import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Write the licences of the bundled packages to `licences.txt`. */
export function licences(modules: string, packages: Record<string, string>): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle() {
      const texts = Object.entries(packages).map(([name, file]) => {
        return `${name}\n\n${readFileSync(`${modules}/${name}/${file}`, 'utf8').trim()}\n`;
      });
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: texts.join('\n----\n\n') });
    },
  };
}
