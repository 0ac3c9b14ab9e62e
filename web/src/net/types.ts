/** The types of the contract, generated from the server's models, under the names that the page uses. */

import type { ErrorBody, SeatName } from './generated/contract';

export type {
  Agenda,
  AgendaEntry,
  Analysis,
  BlockInfo,
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
  NotificationInfo,
  NotificationKind,
  NotificationList,
  NotificationSettings,
  OpeningAnswer,
  OptionInfo,
  Phrase,
  PhraseInfo,
  PlayerInfo,
  Presence,
  PuzzleRatings,
  RecordInfo,
  Registered,
  ReportReason,
  ReviewInfo,
  ReviewPly,
  SeatReview,
  SeatLinkInfo,
  SeatName,
  SessionInfo,
  Status,
  StoredReview,
  TableEvent,
  TableFrame as ServerMessage,
  TableInfo,
  TableSummary as Summary,
  TableTalk,
  TokenInfo,
  TriedMove,
  VacationInfo,
} from './generated/contract';

export type BySeat<T> = Record<SeatName, T>;
export type ColourChoice = 'random' | 'light' | 'dark';
export type Mark = 'inaccuracy' | 'mistake' | 'blunder';

/** An error of the server, or one of the page itself, which has only a code and a message. */
export type ErrorInfo = Pick<ErrorBody, 'code' | 'message'> & Partial<ErrorBody>;
