/** API calls for tournaments and ratings. */

import { call } from './api';
import type { ClockRule } from './types';

export const FORMATS = ['swiss', 'round-robin', 'double-round-robin', 'knockout', 'ladder', 'match'] as const;
export type Format = (typeof FORMATS)[number];

export interface NewTournament {
  name: string;
  format: Format;
  game: string;
  rounds: number | null;
  match: boolean;
  clock: ClockRule | null;
  rated: boolean;
}

export interface StandingInfo {
  rank: number;
  number: number;
  name: string;
  withdrawn: boolean;
  rounds: number;
  points: number;
  difference: number;
  buchholz: number;
  sonneborn_berger: number;
}

export interface PairingInfo {
  table: number;
  first: number;
  second: number | null;
  points: [number, number] | null;
  scores: [number, number][];
  forfeit: [boolean, boolean] | null;
  board: BoardInfo | null;
}

/** The table of a pairing; `moves` only while the game is in progress. */
export interface BoardInfo {
  table: string;
  ply: number | null;
  scores: { first: number; second: number } | null;
  moves: number[] | null;
}

/** Messages of a tournament's socket. */
export type TournamentMessage =
  { type: 'tournament'; tournament: TournamentInfo } | { type: 'boards'; boards: BoardInfo[] };

export interface LogLine {
  at: number;
  by: 'organiser' | 'player' | 'server';
  event: string;
  name?: string;
  round?: number;
  table?: number;
  players?: string[];
  result?: string;
  before?: string;
  reason?: string;
}

export interface TournamentInfo {
  id: string;
  version: number;
  name: string;
  format: Format;
  game: string;
  edition: string | null;
  games: 1 | 2;
  clock: ClockRule | null;
  rated: boolean;
  total_rounds: number | null;
  over: boolean;
  started: boolean;
  missing: number;
  standings: StandingInfo[];
  rounds: PairingInfo[][];
  you: number | null;
  organiser: boolean;
  invite: string | null;
  board: string | null;
}

export interface TournamentSummary {
  id: string;
  name: string;
  format: Format;
  game: string;
  edition: string | null;
  players: number;
  round: number;
  total_rounds: number | null;
  over: boolean;
  organiser: boolean;
  updated: number;
}

export interface Ruling {
  round: number;
  table: number;
  scores?: [number, number][];
  decision?: 'first' | 'second' | 'draw';
  absent?: 'first' | 'second' | 'both';
  reason?: string;
}

export interface Leaderboard {
  game: string;
  games: string[];
  players: { name: string; rating: number; deviation: number; games: number; provisional: boolean }[];
}

export interface RatingPoint {
  at: number;
  rating: number;
  deviation: number;
  points: number;
  table_id: string;
}

const path = (id: string) => `/api/tournaments/${encodeURIComponent(id)}`;

export const tournaments = {
  mine: () => call<{ tournaments: TournamentSummary[] }>('GET', '/api/tournaments'),
  create: (request: NewTournament) => call<TournamentInfo>('POST', '/api/tournaments', request),
  read: (id: string) => call<TournamentInfo>('GET', path(id)),
  join: (id: string, secret: string, name: string) =>
    call<TournamentInfo>('POST', `${path(id)}/join`, { secret, name }),
  start: (id: string) => call<TournamentInfo>('POST', `${path(id)}/start`, {}),
  withdraw: (id: string, player: number, back: boolean) =>
    call<TournamentInfo>('POST', `${path(id)}/withdraw`, { player, back }),
  rule: (id: string, ruling: Ruling) => call<TournamentInfo>('POST', `${path(id)}/result`, ruling),
  log: (id: string) => call<{ log: LogLine[] }>('GET', `${path(id)}/log`),
  ofTable: (table: string) =>
    call<{ tournament: { id: string; name: string } | null }>(
      'GET',
      `/api/tables/${encodeURIComponent(table)}/tournament`,
    ),
};

/** Return the tournament with updated boards. */
export function withBoards(info: TournamentInfo, boards: readonly BoardInfo[]): TournamentInfo {
  const news = new Map(boards.map((board) => [board.table, board]));
  const rounds = info.rounds.map((round) =>
    round.map((pairing) => ({
      ...pairing,
      board: (pairing.board && news.get(pairing.board.table)) ?? pairing.board,
    })),
  );
  return { ...info, rounds };
}

export const ratings = {
  leaders: (game: string) => call<Leaderboard>('GET', `/api/ratings?game=${encodeURIComponent(game)}`),
  history: (name: string, game: string) =>
    call<{ history: RatingPoint[] }>(
      'GET',
      `/api/ratings/${encodeURIComponent(name)}?game=${encodeURIComponent(game)}`,
    ),
};
