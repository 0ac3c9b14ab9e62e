/* The service worker: caches the built app and the game definitions, so that play on the same device works offline.
   The build puts FILES (the built assets) and VERSION before this text. */

const APP = `app-${VERSION}`;
const VALUES = 'values-1';
const GAMES = [
  'taiji',
  'taiji:size=7',
  'taiji:size=11',
  'tailits',
  'battle-of-lits',
  'tailits+taiji',
  'taiji+battle-of-lits',
];
const PRECACHE_URLS = [
  '/api/games',
  ...GAMES.map((game) => `/api/game-value?game=${encodeURIComponent(game)}`),
];

self.addEventListener('install', (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

async function keep() {
  const app = await caches.open(APP);
  await app.addAll(['/', '/icon.svg', '/manifest.webmanifest', ...FILES]);
  const values = await caches.open(VALUES);
  // A definition that cannot be fetched now is cached when the game is first played.
  await Promise.allSettled(PRECACHE_URLS.map((address) => values.add(address)));
}

self.addEventListener('activate', (event) => {
  event.waitUntil(forget().then(() => self.clients.claim()));
});

async function forget() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('app-') && name !== APP).map((name) => caches.delete(name)),
  );
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(kept(request));
  else if (url.pathname === '/api/games' || url.pathname === '/api/game-value')
    event.respondWith(value(request));
});

async function page(request) {
  if (new URL(request.url).pathname.startsWith('/api/')) return fetch(request);
  try {
    return await fetch(request);
  } catch {
    return (await caches.match('/')) ?? Response.error();
  }
}

async function kept(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function value(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      const values = await caches.open(VALUES);
      await values.put(request, answer.clone());
    }
    return answer;
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}
