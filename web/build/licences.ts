import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Puts the licences of what is built in (by package name) beside the built app, as they ask. */
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
