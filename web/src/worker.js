/* The service worker: caches the built app and the game definitions, so that play on the same device works offline.
   The build puts FILES (the built assets) and VERSION before this text. */

const APP = `app-${VERSION}`;
const DEFINITIONS = 'definitions-1';
const GAMES = [
  'taiji',
  'taiji:size=7',
  'taiji:size=11',
  'tailits',
  'battle-of-lits',
  'tailits+taiji',
  'taiji+battle-of-lits',
];
/** Files without a hash in their names: fetched again if there is a connection. */
const APP_FILES = ['/icon.svg', '/manifest.webmanifest'];
const PRECACHE_URLS = [
  '/api/games',
  ...GAMES.map((game) => `/api/game-definition?game=${encodeURIComponent(game)}`),
];

self.addEventListener('install', (event) => {
  event.waitUntil(precache().then(() => self.skipWaiting()));
});

async function precache() {
  const app = await caches.open(APP);
  await app.addAll(['/', ...APP_FILES, ...FILES]);
  const definitions = await caches.open(DEFINITIONS);
  // A definition that cannot be fetched now is cached when the game is first played.
  await Promise.allSettled(PRECACHE_URLS.map((url) => definitions.add(url)));
}

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldCaches().then(() => self.clients.claim()));
});

async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name !== APP && name !== DEFINITIONS).map((name) => caches.delete(name)),
  );
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(cached(request));
  else if (APP_FILES.includes(url.pathname)) event.respondWith(fresh(request));
  else if (url.pathname === '/api/games' || url.pathname === '/api/game-definition')
    event.respondWith(definition(request));
});

async function page(request) {
  if (new URL(request.url).pathname.startsWith('/api/')) return fetch(request);
  return fresh(request, '/');
}

async function fresh(request, fallback = request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(fallback)) ?? Response.error();
  }
}

async function cached(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function definition(request) {
  try {
    const response = await fetch(request);
    if (response.ok) {
      const definitions = await caches.open(DEFINITIONS);
      await definitions.put(request, response.clone());
    }
    return response;
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}
