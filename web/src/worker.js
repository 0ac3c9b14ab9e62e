/* The service worker: caches the built app and the game definitions, so that everything but the server's games works
   offline. The build puts VERSION and the lists of paths, relative to this file, before this text.

   A new version is installed beside the old one and waits until no page of the old one is open: a page never loses the
   files it has yet to load. A page that is itself new, and the only one, tells the new version to take over. */

const SCOPE = self.registration.scope;
const APP = `app-${VERSION}`;
const LARGE = 'large-1';
const DATA = 'definitions-1';
/** After this time a page that was cached is shown instead of one that does not come. */
const PATIENCE_MS = 4000;
/** Files that are fetched at once: browsers have six connections to a host, and the page needs some of them. */
const CONNECTIONS = 3;

const url = (path) => new URL(path, SCOPE).href;
const FIRST = [...FILES, ...PUBLIC_FILES].map(url);
const LATER = LARGE_FILES.map(url);
const INDEX = url('./');

self.addEventListener('install', (event) => event.waitUntil(precache()));

async function precache() {
  const app = await caches.open(APP);
  // The browser's own cache may hold an index page of another version.
  const files = [new Request(INDEX, { cache: 'reload' }), ...FIRST];
  try {
    await inTurns(files, (file) => app.add(file));
  } catch (error) {
    await caches.delete(APP); // part of an app would only take room
    throw error;
  }
  const data = await caches.open(DATA);
  // A definition that cannot be fetched now is cached when the game is first played.
  await inTurns(DEFINITIONS.map(url), (file) => data.add(file).catch(() => undefined));
}

/** Fetch every file, a few at a time; after a failure fetch no other, and reject when nothing is under way. */
async function inTurns(files, add) {
  const left = [...files];
  const line = async () => {
    try {
      while (left.length) await add(left.shift());
    } catch (error) {
      left.length = 0;
      throw error;
    }
  };
  const lines = await Promise.allSettled(Array.from({ length: CONNECTIONS }, line));
  const failed = lines.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

self.addEventListener('activate', (event) => event.waitUntil(clean().then(() => self.clients.claim())));

async function clean() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => ![APP, LARGE, DATA].includes(name)).map((name) => caches.delete(name)),
  );
  const large = await caches.open(LARGE);
  const kept = await large.keys();
  await Promise.all(kept.filter(({ url }) => !LATER.includes(url)).map((request) => large.delete(request)));
}

/** A page has been opened; it names its script and whether large files may be fetched. */
self.addEventListener('message', (event) => {
  const { script, large } = event.data;
  event.waitUntil(FIRST.includes(script) ? opened(large) : Promise.resolve());
});

async function opened(large) {
  if (self.registration.waiting) {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    if (pages.length <= 1) await self.skipWaiting();
  }
  if (large) await fetchLarge();
}

async function fetchLarge() {
  const cache = await caches.open(LARGE);
  for (const file of LATER) {
    // One at a time, and later if it fails: the page has more urgent requests.
    if (!(await cache.match(file))) await cache.add(file).catch(() => undefined);
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(SCOPE)) return;
  const path = request.url.slice(SCOPE.length).split('#')[0];
  if (request.mode === 'navigate') {
    if (!/^(api|docs|embed)(\/|$)/.test(path)) event.respondWith(page(request));
  } else if (path.startsWith('assets/')) event.respondWith(asset(request));
  else if (FIRST.includes(request.url)) event.respondWith(fresh(request));
  else if (DEFINITIONS.includes(path) || /^(api\/game-definition\?|definitions\/)/.test(path))
    event.respondWith(definition(request));
});

/** The page from the network, else the cached one; it decides itself what to show at this path. */
async function page(request) {
  const cached = await caches.match(INDEX);
  if (!cached) return fetch(request);
  const late = new Promise((resolve) => setTimeout(() => resolve(cached), PATIENCE_MS));
  return Promise.race([fresh(request, INDEX), late]);
}

/** The answer of the network, else the cached one. */
async function fresh(request, fallback = request) {
  const answer = await fetch(request).catch(() => null);
  // A server that is being started again answers through its proxy with an error.
  if (answer && answer.status < 500) return answer;
  return (await caches.match(fallback)) ?? answer ?? Response.error();
}

/** A file whose name contains a hash of its content: the cached one is the right one. */
async function asset(request) {
  const cached = await caches.match(request, { ignoreVary: true });
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok && LATER.includes(request.url)) await keep(LARGE, request, answer.clone());
  return answer;
}

async function definition(request) {
  const answer = await fresh(request);
  if (answer.ok && answer.type === 'basic') await keep(DATA, request, answer.clone());
  return answer;
}

/** Cache an answer; without room for it, it is fetched again the next time. */
async function keep(name, request, answer) {
  const cache = await caches.open(name);
  await cache.put(request, answer).catch(() => undefined);
}

/* Pushes: the server sends what happened, and the words come from the catalogue of the chosen language. */

const GAMES = { taiji: 'TAIJI', tailits: 'TAILITS', 'battle-of-lits': 'Battle of LITS' };

self.addEventListener('push', (event) => event.waitUntil(show(event.data?.json() ?? {})));

async function show({ kind, table, game = '', opponent, language = 'en' }) {
  const words = await catalogue(language);
  const who = opponent ?? words['notice.somebody'] ?? '';
  const title = (words[`notice.${kind}`] ?? 'TAIJI').replace('{opponent}', who);
  await self.registration.showNotification(title, {
    body: gameTitle(game),
    lang: language,
    tag: `${kind}-${table}`,
    icon: url('icons/icon-192.png'),
    data: { url: url(table ? `game/${encodeURIComponent(table)}` : 'notifications') },
  });
}

/** The texts of a language, as the page has them. */
async function catalogue(language) {
  const path = FILES.find((file) => file.startsWith(`assets/${language}-`) && file.endsWith('.json'));
  if (!path) return {};
  const answer = await asset(new Request(url(path))).catch(() => null);
  return answer?.ok ? answer.json() : {};
}

function gameTitle(text) {
  const [base, options = ''] = text.split(':');
  const size = /(?:^|,)size=(\d+)/.exec(options)?.[1] ?? (base === 'taiji' ? '9' : '');
  const title = base
    .split('+')
    .map((part) => GAMES[part] ?? part)
    .join('+');
  return size ? `${title} ${size}×${size}` : title;
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.url));
});

/** Show the page of a game: in a window that has it, in any other, or in a new one. */
async function openPage(address) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => one.url.split('?')[0] === address) ?? pages[0];
  if (!page) return self.clients.openWindow(address);
  await page.focus().catch(() => undefined);
  if (page.url.split('?')[0] !== address)
    return page.navigate(address).catch(() => self.clients.openWindow(address));
}
