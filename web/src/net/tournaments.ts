/** API calls for tournaments and ratings. */

import { call } from './api';
import type {
  AuditLog,
  BoardInfo,
  FormatName,
  Leaderboard,
  Leaderboards,
  NewTournament,
  PublicTournaments,
  RatingHistory,
  ResultRequest,
  TournamentInfo,
  TournamentList,
  TournamentOfTable,
} from './generated/contract';

export type {
  AuditEntry,
  BoardInfo,
  FormatName as Format,
  GameLeaders,
  Leaderboard,
  NewTournament,
  PairingInfo,
  PublicTournament,
  RatingPoint,
  ResultRequest,
  StandingInfo,
  TournamentInfo,
  TournamentMessage,
  TournamentSummary,
} from './generated/contract';

export const FORMATS = [
  'swiss',
  'round-robin',
  'double-round-robin',
  'knockout',
  'ladder',
  'match',
] as const satisfies readonly FormatName[];

const path = (id: string) => `/api/tournaments/${encodeURIComponent(id)}`;

export const tournaments = {
  mine: () => call<TournamentList>('GET', '/api/tournaments'),
  public: (state: 'upcoming' | 'running' | 'finished', offset = 0) =>
    call<PublicTournaments>('GET', `/api/tournaments/public?state=${state}&offset=${offset}`),
  create: (request: NewTournament) => call<TournamentInfo>('POST', '/api/tournaments', request),
  read: (id: string) => call<TournamentInfo>('GET', path(id)),
  join: (id: string, secret: string | null, name: string) =>
    call<TournamentInfo>('POST', `${path(id)}/join`, { secret, name }),
  start: (id: string) => call<TournamentInfo>('POST', `${path(id)}/start`, {}),
  withdraw: (id: string, player: number, back: boolean) =>
    call<TournamentInfo>('POST', `${path(id)}/withdraw`, { player, back }),
  setResult: (id: string, result: ResultRequest) =>
    call<TournamentInfo>('POST', `${path(id)}/result`, result),
  log: (id: string) => call<AuditLog>('GET', `${path(id)}/log`),
  ofTable: (table: string) =>
    call<TournamentOfTable>('GET', `/api/tables/${encodeURIComponent(table)}/tournament`),
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
  overview: () => call<Leaderboards>('GET', '/api/leaderboards'),
  leaders: (game: string) => call<Leaderboard>('GET', `/api/ratings?game=${encodeURIComponent(game)}`),
  history: (name: string, game: string) =>
    call<RatingHistory>('GET', `/api/ratings/${encodeURIComponent(name)}?game=${encodeURIComponent(game)}`),
};
