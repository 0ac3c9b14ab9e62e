/** API calls about people: pages, following, puzzles of the account, pairing. */

import { newId } from '../lib/ids';
import { call } from './api';
import type {
  FollowedPlayers,
  PairRequest,
  PlayerPage,
  PuzzleProgress,
  PuzzleStanding,
  TableInfo,
  TableList,
} from './generated/contract';

export type {
  FollowedPlayer,
  GameStanding,
  OpponentStanding,
  PlayerPage,
  PlayerRating,
  PuzzleStanding,
} from './generated/contract';

const id = encodeURIComponent;

export const people = {
  page: (name: string) => call<PlayerPage>('GET', `/api/players/${id(name)}`),
  games: (name: string, before?: number) =>
    call<TableList>('GET', `/api/players/${id(name)}/tables${before ? `?before=${before}` : ''}`),
  following: () => call<FollowedPlayers>('GET', '/api/following'),
  follow: (name: string, yes: boolean) => call<void>(yes ? 'PUT' : 'DELETE', `/api/following/${id(name)}`),
  puzzles: () => call<PuzzleStanding>('GET', '/api/me/puzzles'),
  reportPuzzles: (progress: PuzzleProgress) => call<PuzzleStanding>('PUT', '/api/me/puzzles', progress),
  sharePuzzles: (shared: boolean) => call<PuzzleStanding>('PATCH', '/api/me/puzzles', { shared }),
  /** Play with whoever wants the same game. */
  async pair(request: Omit<PairRequest, 'id'>): Promise<TableInfo> {
    return call<TableInfo>('POST', '/api/pair', { ...request, id: newId() });
  },
};
