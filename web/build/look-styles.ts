import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

interface Look {
  themes: Record<'light' | 'dark', Record<string, string | number>>;
  fonts: Record<string, string>;
  motion: Record<string, number>;
}

const NAME = 'virtual:look.css';

/** Offers the palette of the look as `virtual:look.css`: one custom property a token, a block a theme. */
export function lookStyles(file: string): Plugin {
  return {
    name: 'look-styles',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      this.addWatchFile(file);
      return { code: styles(JSON.parse(readFileSync(file, 'utf8')) as Look), moduleType: 'css' };
    },
  };
}

function styles(look: Look): string {
  const { light, dark } = look.themes;
  const shared = [
    ...Object.entries(look.motion).map(([name, ms]) => `--${name.replace(/_ms$/, '')}:${ms}ms;`),
    `--sans:${look.fonts.sans};`,
  ].join('');
  return [
    `:root{color-scheme:light;${shared}${properties(light)}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){color-scheme:dark;${properties(dark)}}}`,
    `:root[data-theme="dark"]{color-scheme:dark;${properties(dark)}}`,
  ].join('\n');
}

function properties(tokens: Record<string, string | number>): string {
  return Object.entries(tokens)
    .map(([name, value]) => `--${name.replaceAll('_', '-')}:${value};`)
    .join('');
}
