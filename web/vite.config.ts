import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { licences } from './build/licences.ts';
import { themeStyles } from './build/theme-styles.ts';
import { serviceWorker } from './build/service-worker.ts';
import { staticLinks } from './build/static-links.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig(({ mode }) => ({
  plugins: [
    staticLinks(),
    svelte(),
    themeStyles(path('../src/taiji/render/theme.json')),
    licences(path('node_modules'), { svelte: 'LICENSE.md', '@fontsource/eb-garamond': 'LICENSE' }),
    serviceWorker(path('src/worker.js'), path('public')),
  ],
  resolve: {
    alias: {
      $theme: path('../src/taiji/render/theme.json'),
      $levels: path('../src/taiji/players/levels.json'),
      $family: path('../src/taiji/study/family.json'),
    },
  },
  worker: { format: 'es' },
  build: {
    outDir: path('../src/taiji/server/static'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // A data: URL would need a wider content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Embedded boards are pages of the server's games.
      input: ['index.html', ...(mode === 'static' ? [] : ['embed.html'])].map(path),
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000', '/ws': { target: 'ws://127.0.0.1:8000', ws: true } } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 300_000,
    pool: 'threads',
    maxWorkers: 2,
    isolate: false,
  },
}));
