/** Books of openings: files of the build, read as `taiji.analysis.explorer.book` writes them. */

import { isPlacement, type Move } from '../rules/game';
import type { State } from '../rules/state';
import { keyOf, lanesOf, withPlacement, type Symmetries } from './keys';

const FILES = import.meta.glob<string>('../../../src/taiji/analysis/explorer/books/*.book', {
  query: '?url',
  import: 'default',
  eager: true,
});

const KEY_BYTES = 6;
const UNKNOWN_VALUE = 255;
const UNKNOWN_MARGIN = -128;

interface Header {
  game: string;
  games: number;
  positions: number;
  symmetries: Symmetries;
}

/** What is known of a position; values and margins are those of Light. */
export interface Stats {
  games: number;
  lightWins: number;
  lightValue: number | null;
  lightMargin: number | null;
}

/** A move and the games that reached the position after it, from the view of the player to move. */
export interface ExploredMove {
  move: Move;
  games: number;
  winRate: number;
  value: number | null;
  margin: number | null;
}

export interface Exploration {
  games: number;
  /** Number of games of the whole source. */
  bookGames: number;
  /** Most played first. */
  moves: ExploredMove[];
}

export class Book {
  private readonly view: DataView;
  private readonly start: number;
  readonly header: Header;

  constructor(bytes: ArrayBuffer) {
    const all = new Uint8Array(bytes);
    const end = all.indexOf(10);
    this.header = JSON.parse(new TextDecoder().decode(all.subarray(0, end))) as Header;
    this.start = end + 1;
    this.view = new DataView(bytes);
  }

  find(key: number): Stats | null {
    const { positions } = this.header;
    let low = 0;
    let high = positions;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.key(middle) < key) low = middle + 1;
      else high = middle;
    }
    if (low === positions || this.key(low) !== key) return null;
    const counts = this.start + KEY_BYTES * positions;
    const margin = this.view.getInt8(counts + 8 * positions + low);
    const value = this.view.getUint8(counts + 9 * positions + low);
    return {
      games: this.view.getUint32(counts + 4 * low, true),
      lightWins: this.view.getUint32(counts + 4 * positions + 4 * low, true),
      lightMargin: margin === UNKNOWN_MARGIN ? null : margin / 2,
      lightValue: value === UNKNOWN_VALUE ? null : value / 200,
    };
  }

  private key(index: number): number {
    const at = this.start + KEY_BYTES * index;
    return this.view.getUint32(at, true) + this.view.getUint16(at + 4, true) * 2 ** 32;
  }
}

/** The keys of a position and of those one placement later; of symmetric moves, the first. */
export function neighbourKeys(
  state: State,
  symmetries: Symmetries,
): { here: number; moves: Map<number, Move> } {
  const lanes = lanesOf(state, symmetries);
  const moves = new Map<number, Move>();
  for (const move of state.isOver ? [] : state.legal()) {
    if (!isPlacement(move)) continue;
    const key = keyOf(withPlacement(lanes, move, symmetries));
    if (!moves.has(key)) moves.set(key, move);
  }
  return { here: keyOf(lanes), moves };
}

/** What a source of statistics knows of a position and of the moves that were played in it. */
export function explored(
  state: State,
  { here, moves }: ReturnType<typeof neighbourKeys>,
  find: (key: number) => Stats | null,
): Omit<Exploration, 'bookGames'> {
  const light = state.colourToMove === 0;
  const known: ExploredMove[] = [];
  for (const [key, move] of moves) {
    const stats = find(key);
    if (!stats) continue;
    known.push({
      move,
      games: stats.games,
      winRate: (light ? stats.lightWins : stats.games - stats.lightWins) / stats.games,
      value: stats.lightValue === null ? null : light ? stats.lightValue : 1 - stats.lightValue,
      margin: stats.lightMargin === null ? null : light ? stats.lightMargin : 0 - stats.lightMargin,
    });
  }
  known.sort((a, b) => b.games - a.games || a.move.action - b.move.action);
  return { games: find(here)?.games ?? 0, moves: known };
}

/** What a book knows of a position. */
export function explore(state: State, book: Book): Exploration {
  const keys = neighbourKeys(state, book.header.symmetries);
  return { ...explored(state, keys, (key) => book.find(key)), bookGames: book.header.games };
}

/** The name of a game's book: `taiji-7` for `taiji:size=7`. */
export function bookName(game: string): string {
  return game.toLowerCase().replace(/([:,][a-z]+=|[^a-z0-9+])+/g, '-');
}

const books = new Map<string, Promise<Book | null>>();

/** The book of a game; null if there is none. */
export function loadBook(game: string): Promise<Book | null> {
  const name = bookName(game);
  let book = books.get(name);
  if (!book) {
    book = fetched(name, game);
    book.catch(() => books.delete(name));
    books.set(name, book);
  }
  return book;
}

async function fetched(name: string, game: string): Promise<Book | null> {
  const address = Object.entries(FILES).find(([path]) => path.endsWith(`/${name}.book`))?.[1];
  if (!address) return null;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`no book at ${address}`);
  const book = new Book(await response.arrayBuffer());
  return book.header.game === game ? book : null;
}
