/** The types of the contract, generated from the server's models, under the names that the page uses. */

import type { ErrorBody, SeatName } from './generated/contract';

export type {
  Analysis,
  BoardInfo,
  Catalogue,
  ClientFrame,
  ClockChoice as ClockRule,
  ClockInfo,
  EditionInfo,
  GameInfo,
  GameResult as Result,
  LobbyFrame as Lobby,
  MatchInfo,
  Me,
  MoveInfo,
  MoveReason as HintReason,
  NewTable,
  OptionInfo,
  PlayerInfo,
  Presence,
  RecordInfo,
  Registered,
  ReviewInfo,
  ReviewPly,
  SeatLinkInfo,
  SeatName,
  SessionInfo,
  Status,
  TableEvent,
  TableFrame as ServerMessage,
  TableInfo,
  TableSummary as Summary,
  TokenInfo,
} from './generated/contract';

export type BySeat<T> = Record<SeatName, T>;
export type ColourChoice = 'random' | 'light' | 'dark';
export type Mark = 'inaccuracy' | 'mistake' | 'blunder';

/** An error of the server, or one of the page itself, which has only a code and a message. */
export type ErrorInfo = Pick<ErrorBody, 'code' | 'message'> & Partial<ErrorBody>;
