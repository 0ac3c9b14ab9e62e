/** The shapes of docs/protocol-web.md. */

import type { IllegalReason } from '../rules/reasons';

export type SeatName = 'first' | 'second';
export type BySeat<T> = Record<SeatName, T>;
export type Status = 'waiting' | 'playing' | 'over';
export type ColourChoice = 'random' | 'light' | 'dark';
export type Opponent = 'computer' | 'link' | 'open' | 'player';

export interface Me {
  name: string | null;
  account: { name: string; kind: 'person' | 'bot'; ratings: Record<string, unknown> } | null;
  csrf: string;
  protocol: number;
  version: string;
}

export interface OptionInfo {
  name: string;
  type: 'whole' | 'choice' | 'drawn';
  low?: number;
  high?: number;
  values?: string[];
  domain?: string;
  default: string | number | null;
  help: string;
}

export interface GameInfo {
  name: string;
  title: string;
  designer: string;
  rulebook: string;
  summary: string;
  options: OptionInfo[];
}

export interface EditionInfo {
  name: string;
  title: string;
  game: string;
  rule: 'nestorgames' | 'blue-panther';
}

export interface Catalogue {
  games: GameInfo[];
  editions: EditionInfo[];
  levels: number[];
}

export type ClockRule =
  | { kind: 'sudden'; main_s: number }
  | { kind: 'fischer'; main_s: number; increment_s: number }
  | { kind: 'bronstein'; main_s: number; delay_s: number }
  | { kind: 'byoyomi'; main_s: number; periods: number; period_s: number }
  | { kind: 'correspondence'; days: number };

export interface NewTable {
  game: string;
  opponent: Opponent;
  player?: string;
  level?: number;
  colour?: ColourChoice;
  clock?: ClockRule | null;
  match?: boolean;
  takebacks?: boolean;
  rated?: boolean;
}

export interface PlayerInfo {
  name: string | null;
  kind: 'person' | 'computer' | 'bot';
  level: number | null;
  rating: number | null;
}

export interface MoveInfo {
  ply: number;
  number: number;
  text: string;
  seat: SeatName;
  spent_ms: number;
  at: number;
}

export interface SideClock {
  left_ms: number;
  periods: number | null;
}

export interface ClockInfo {
  running: SeatName | null;
  first: SideClock;
  second: SideClock;
  free_ms: number;
}

export interface Result {
  winner: SeatName | null;
  by: 'score' | 'resign' | 'time' | 'aborted';
  scores: BySeat<number>;
}

export interface MatchInfo {
  id: string;
  number: number;
  tables: (string | null)[];
  totals: BySeat<number>;
  result: { winner: SeatName | null; by: 'total' | 'rule' | 'forfeit'; totals: BySeat<number> } | null;
}

export interface Presence {
  first: boolean;
  second: boolean;
  watchers: number;
}

export interface TableInfo {
  id: string;
  version: number;
  status: Status;
  game: string;
  edition: string | null;
  rule: 'nestorgames' | 'blue-panther';
  opponent: Opponent;
  clock_rule: ClockRule | null;
  takebacks: boolean;
  rated: boolean;
  hints: boolean;
  seats: BySeat<PlayerInfo | null>;
  you: SeatName | null;
  moves: MoveInfo[];
  turn: SeatName | null;
  clock: ClockInfo | null;
  scores: BySeat<number>;
  result: Result | null;
  offers: { takeback: SeatName | null; rematch: SeatName | null };
  match: MatchInfo | null;
  rematch: string | null;
  previous: string | null;
  presence: Presence;
  thinking: boolean;
  invite?: string | null;
}

export interface Summary {
  id: string;
  status: Status;
  game: string;
  edition: string | null;
  opponent: Opponent;
  clock_rule: ClockRule | null;
  rated: boolean;
  seats: BySeat<PlayerInfo | null>;
  you: SeatName | null;
  ply: number;
  turn: SeatName | null;
  scores: BySeat<number>;
  result: Result | null;
  match: { number: number } | null;
  watchers: number;
  created: number;
  updated: number;
}

export interface HintReason {
  code: string;
  cells: number[];
  params: Record<string, number | number[]>;
}

export interface Analysis {
  ply: number;
  turn: SeatName;
  move: number;
  text: string;
  win: number | null;
  margin: number | null;
  playouts: number;
  lines: { move: number; text: string; win: number | null; margin: number | null; line: string[] }[];
  reasons: HintReason[];
}

export interface RecordInfo {
  id: string;
  game: string;
  names: BySeat<string | null>;
  moves: { number: number; text: string }[];
  result: Result | string | null;
  over: boolean;
}

export type Mark = 'inaccuracy' | 'mistake' | 'blunder';

export interface ReviewPly {
  ply: number;
  win: number | null;
  margin: number | null;
  best: number | null;
  best_text: string | null;
  line: string[];
  played?: number;
  played_text?: string;
  loss?: number | null;
  mark?: Mark | null;
}

export interface ReviewInfo {
  id: string;
  state: 'queued' | 'running' | 'done' | 'cancelled' | 'failed';
  done: number;
  of: number;
  plies: ReviewPly[];
  error: string | null;
}

export interface ErrorInfo {
  code: string;
  text: string;
  reason?: IllegalReason;
}

export interface Lobby {
  challenges: Summary[];
  live: Summary[];
  mine: Summary[];
}
