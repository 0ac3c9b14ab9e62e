import type { Plugin } from 'vite';

/** In a static build, turn the links of components into hashes, `/learn` into `#/learn`, and make paths of files relative. */
export function staticLinks(): Plugin {
  return {
    name: 'static-links',
    apply: (_config, { mode }) => mode === 'static',
    enforce: 'pre',
    transform: {
      filter: { id: /\.svelte$/ },
      handler: (code) => ({ code: rewritten(code), map: null }),
    },
  };
}

/** Exported for the tests. */
export function rewritten(code: string): string {
  return code
    .replace(/\b(href|src)="\/([\w-]+\.\w+)"/g, '$1="$2"')
    .replace(/\bhref="\//g, 'href="#/')
    .replace(/\bhref=\{`\//g, 'href={`#/');
}
