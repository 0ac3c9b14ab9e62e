/** The reducer of a table: apply one event of the server. */

import type { TableEvent } from '../net/socket';
import type { BySeat, MatchInfo, MoveInfo, PlayerInfo, Result, SeatName, TableInfo } from '../net/types';

export function applyEvent(table: TableInfo, event: TableEvent): TableInfo {
  const next: TableInfo = { ...table, version: event.version, clock: event.clock ?? table.clock };
  const { data } = event;
  const offers = table.offers;
  switch (event.kind) {
    case 'join':
      next.seats = { ...table.seats, [data.seat as SeatName]: data.player as PlayerInfo };
      if (next.seats.first && next.seats.second) next.invite = null;
      break;
    case 'start':
      next.status = 'playing';
      next.turn = data.turn as SeatName;
      break;
    case 'move': {
      const { ply, number, text, seat, spent_ms } = data as unknown as MoveInfo;
      next.moves = [...table.moves.slice(0, ply), { ply, number, text, seat, spent_ms, at: event.at }];
      next.turn = data.turn as SeatName | null;
      next.scores = data.scores as BySeat<number>;
      next.offers = { ...offers, takeback: null };
      break;
    }
    case 'takeback-offer':
      next.offers = { ...offers, takeback: data.seat as SeatName };
      break;
    case 'takeback-refused':
      next.offers = { ...offers, takeback: null };
      break;
    case 'takeback':
      next.moves = table.moves.slice(0, data.plies as number);
      next.turn = data.turn as SeatName;
      next.scores = data.scores as BySeat<number>;
      next.offers = { ...offers, takeback: null };
      break;
    case 'level':
      next.seats = withLevel(table.seats, data.level as number);
      break;
    case 'end':
      next.status = 'over';
      next.turn = null;
      next.result = data.result as Result;
      next.match = (data.match as MatchInfo | null) ?? table.match;
      next.clock = next.clock && { ...next.clock, running: null };
      next.offers = { ...offers, takeback: null };
      break;
    case 'next':
      if (table.match) next.match = { ...table.match, tables: [table.id, data.table as string] };
      break;
    case 'rematch-offer':
      next.offers = { ...offers, rematch: data.seat as SeatName };
      break;
    case 'rematch':
      next.rematch = data.table as string;
      break;
  }
  return next;
}

function withLevel(seats: BySeat<PlayerInfo | null>, level: number): BySeat<PlayerInfo | null> {
  const change = (player: PlayerInfo | null) => (player?.kind === 'computer' ? { ...player, level } : player);
  return { first: change(seats.first), second: change(seats.second) };
}
