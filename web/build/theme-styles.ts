import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

interface ThemeFile {
  themes: Record<'light' | 'dark', Record<string, string | number>>;
  fonts: Record<string, string>;
  motion: Record<string, number>;
}

const NAME = 'virtual:theme.css';

/** Provide the palette of `theme.json` as `virtual:theme.css`: one custom property per token, one block per theme. */
export function themeStyles(file: string): Plugin {
  return {
    name: 'theme-styles',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      this.addWatchFile(file);
      return { code: styles(JSON.parse(readFileSync(file, 'utf8')) as ThemeFile), moduleType: 'css' };
    },
  };
}

function styles(theme: ThemeFile): string {
  const { light, dark } = theme.themes;
  const shared = [
    ...Object.entries(theme.motion).map(([name, ms]) => `--${name.replace(/_ms$/, '')}:${ms}ms;`),
    `--sans:${theme.fonts.sans};`,
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
