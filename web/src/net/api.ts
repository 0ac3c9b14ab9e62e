/** Calls of the server's REST API. */

import type { GameDefinition } from '../rules/definition';
import { EMBEDDED, HAS_SERVER } from '../lib/build';
import { Unsupported } from '../rules/program';
import { cataloguePath, definitionPath } from './definitionPath';
import type {
  Analysis,
  Catalogue,
  ErrorInfo,
  Me,
  NewTable,
  OpeningAnswer,
  PuzzleRatings,
  RecordInfo,
  Registered,
  ReviewInfo,
  SeatLinkInfo,
  SeatName,
  SessionInfo,
  Status,
  StoredReview,
  Summary,
  TableInfo,
  TokenInfo,
  TriedMove,
} from './types';

/** An error response: `code` is translated, `message` is the server's English. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly error: ErrorInfo,
  ) {
    super(error.message);
  }
}

/** What to show for a failed call or a game that the page cannot play. */
export function errorInfo(failure: unknown): ErrorInfo {
  if (failure instanceof ApiError) return failure.error;
  if (failure instanceof Unsupported) return { code: 'unsupported', message: failure.message };
  return { code: 'unavailable', message: String(failure) };
}

/** Browsers keep few bytes for a page that was left; larger changes are records, whose page waits for them. */
const MAX_KEPT_CHARS = 8192;

let me: Promise<Me> | null = null;

/** The user of this browser; requested once, and again after a change. */
export function whoAmI(): Promise<Me> {
  me ??= call<Me>('GET', '/api/me').catch((error: unknown) => {
    me = null;
    throw error;
  });
  return me;
}

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response = await request(method, path, body);
  let failure = response.ok ? null : await readError(response);
  if (failure?.code === 'csrf' && method !== 'GET') {
    // Another tab has started a new session.
    me = null;
    response = await request(method, path, body);
    failure = response.ok ? null : await readError(response);
  }
  if (failure?.code === 'no-session') me = null;
  if (failure) throw new ApiError(response.status, failure);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  if (!HAS_SERVER && path.startsWith('/'))
    throw new ApiError(0, { code: 'offline', message: 'this page has no server' });
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (method !== 'GET') {
    headers['Content-Type'] = 'application/json';
    headers['X-CSRF-Token'] = (await whoAmI()).csrf ?? '';
  }
  const text = body === undefined ? undefined : JSON.stringify(body);
  try {
    return await fetch(path, {
      method,
      headers,
      credentials: EMBEDDED ? 'omit' : 'same-origin',
      body: text,
      // A change reaches the server also if the page is left or reloaded at once.
      keepalive: method !== 'GET' && (text?.length ?? 0) <= MAX_KEPT_CHARS,
    });
  } catch {
    throw new ApiError(0, { code: 'offline', message: 'the server cannot be reached' });
  }
}

async function readError(response: Response): Promise<ErrorInfo> {
  const failure = (await response.json().catch(() => null)) as { error?: ErrorInfo } | null;
  return failure?.error ?? { code: 'unavailable', message: response.statusText };
}

/** Remember who the user is after a change. */
export async function signedInAs<T extends Me>(change: Promise<T>): Promise<T> {
  const now = await change;
  me = Promise.resolve(now);
  return now;
}

const id = encodeURIComponent;

export const api = {
  catalogue: () => call<Catalogue>('GET', cataloguePath(HAS_SERVER)),
  gameDefinition: (game: string) => call<GameDefinition>('GET', definitionPath(game, HAS_SERVER)),

  rename: (name: string | null) => signedInAs(call<Me>('PATCH', '/api/me', { name })),
  signUp: (name: string, password: string) =>
    signedInAs(call<Registered>('POST', '/api/account', { name, password })),
  signIn: (name: string, password: string) =>
    signedInAs(call<Me>('POST', '/api/session', { name, password })),
  async signOut(): Promise<Me> {
    await call('DELETE', '/api/session');
    me = null;
    return whoAmI();
  },
  sessions: () => call<{ sessions: SessionInfo[] }>('GET', '/api/sessions'),
  revokeSession: (session: string) => call<void>('DELETE', `/api/sessions/${id(session)}`),
  revokeOtherSessions: () => call<void>('DELETE', '/api/sessions'),
  seatLinks: () => call<{ links: SeatLinkInfo[] }>('GET', '/api/seat-links'),
  revokeSeatLink: (link: string) => call<void>('DELETE', `/api/seat-links/${id(link)}`),
  tokens: () => call<{ tokens: TokenInfo[] }>('GET', '/api/account/tokens'),
  newToken: (label: string) =>
    call<{ id: string; label: string; token: string }>('POST', '/api/account/tokens', { label }),
  revokeToken: (token: string) => call<void>('DELETE', `/api/account/tokens/${id(token)}`),

  newTable: (request: NewTable) => call<TableInfo>('POST', '/api/tables', request),
  join: (secret: string) => call<TableInfo>('POST', '/api/join', { secret }),
  joinOpen: (table: string) => call<TableInfo>('POST', `/api/tables/${id(table)}/join`),
  decline: (table: string) => call<unknown>('POST', `/api/tables/${id(table)}/decline`),
  seatLink: (table: string) => call<{ path: string }>('POST', `/api/tables/${id(table)}/seat-link`),
  hint: (table: string) => call<Analysis>('POST', `/api/tables/${id(table)}/hint`, {}),
  myTables: (status?: Status, before?: number) => {
    const query = new URLSearchParams();
    if (status) query.set('status', status);
    if (before) query.set('before', String(before));
    return call<{ tables: Summary[] }>('GET', `/api/my/tables?${query}`);
  },

  table: (table: string) => call<TableInfo>('GET', `/api/tables/${id(table)}`),
  analyse: (game: string, moves: number[], seconds: number, lines: number, start: string | null = null) =>
    call<Analysis>('POST', '/api/analyse', { game, start, moves, seconds, lines }),
  openings: (game: string, keys: number[]) => call<OpeningAnswer>('POST', '/api/openings', { game, keys }),
  puzzleRatings: () => call<PuzzleRatings>('GET', '/api/puzzles/ratings'),
  reportPuzzle: (puzzle: string, rating: number, solved: boolean) =>
    call<unknown>('POST', `/api/puzzles/${id(puzzle)}/tries`, { rating, solved }),
  uploadRecord: (text: string) => call<RecordInfo>('POST', '/api/records', { text }),
  saveRecord: (game: string, moves: number[], names: Record<SeatName, string | null>) =>
    call<RecordInfo>('POST', '/api/records', { game, moves, names }),
  record: (record: string) => call<RecordInfo>('GET', `/api/records/${id(record)}`),
  startReview: (source: { table: string } | { record: string }, depth: string) =>
    call<ReviewInfo>('POST', '/api/reviews', { ...source, depth }),
  review: (review: string, after = 0) => call<ReviewInfo>('GET', `/api/reviews/${id(review)}?after=${after}`),
  storedReview: (source: { table: string } | { record: string }) =>
    call<StoredReview>('GET', `/api/reviews?${new URLSearchParams(source)}`),
  cancelReview: (review: string) => call<void>('DELETE', `/api/reviews/${id(review)}`),
  deleteReview: (review: string) => call<void>('DELETE', `/api/reviews/${id(review)}?forget=true`),
  shareReview: (review: string, shared: boolean) =>
    call<ReviewInfo>('PATCH', `/api/reviews/${id(review)}`, { shared }),
  tryMove: (review: string, ply: number, move: number) =>
    call<TriedMove>('POST', `/api/reviews/${id(review)}/tries`, { ply, move }),

  /** Return an object URL of the QR code for a path with a secret. */
  async secretQr(path: string): Promise<string> {
    const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': (await whoAmI()).csrf ?? '' };
    const response = await fetch('/api/qr.svg', { method: 'POST', headers, body: JSON.stringify({ path }) });
    if (!response.ok)
      throw new ApiError(response.status, { code: 'unavailable', message: response.statusText });
    return URL.createObjectURL(await response.blob());
  },
};
