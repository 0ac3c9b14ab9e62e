/** The reducer of a table: apply one event of the server. */

import type { BySeat, MatchInfo, PlayerInfo, TableEvent, TableInfo } from '../net/types';

export function applyEvent(table: TableInfo, event: TableEvent): TableInfo {
  const next: TableInfo = {
    ...table,
    version: event.version,
    updated: event.at,
    clock: event.clock ?? table.clock,
  };
  const offers = table.offers;
  switch (event.event_type) {
    case 'join':
      next.seats = { ...table.seats, [event.data.seat]: event.data.player };
      if (next.seats.first && next.seats.second) next.invite = null;
      break;
    case 'start':
      next.status = 'playing';
      next.turn = event.data.turn;
      break;
    case 'move': {
      const { ply, action, text, seat, elapsed_ms, turn, scores } = event.data;
      next.moves = [...table.moves.slice(0, ply), { ply, action, text, seat, elapsed_ms, at: event.at }];
      next.turn = turn;
      next.scores = scores;
      next.match = withScores(table, scores);
      next.offers = { ...offers, takeback: null };
      break;
    }
    case 'takeback-offer':
      next.offers = { ...offers, takeback: event.data.seat };
      break;
    case 'takeback-refused':
      next.offers = { ...offers, takeback: null };
      break;
    case 'takeback':
      next.moves = table.moves.slice(0, event.data.plies);
      next.turn = event.data.turn;
      next.scores = event.data.scores;
      next.match = withScores(table, event.data.scores);
      next.offers = { ...offers, takeback: null };
      break;
    case 'level':
      next.seats = withLevel(table.seats, event.data.level);
      break;
    case 'end':
      next.status = 'over';
      next.turn = null;
      next.invite = null;
      next.result = event.data.result;
      next.match = event.data.match ?? table.match;
      next.clock = next.clock && { ...next.clock, running: null };
      next.offers = { ...offers, takeback: null };
      break;
    case 'next-game':
      if (table.match) next.match = { ...table.match, tables: [table.id, event.data.table] };
      break;
    case 'rematch-offer':
      next.offers = { ...offers, rematch: event.data.seat };
      break;
    case 'rematch':
      next.rematch = event.data.table;
      next.offers = { ...offers, rematch: null };
      break;
    case 'device-added':
    case 'device-removed':
    case 'resume':
    case 'vacation':
      break; // they bring only a version and a clock
    default:
      event satisfies never;
  }
  return next;
}

/** The match with the totals after a change of the scores. */
function withScores({ match, scores: before }: TableInfo, after: BySeat<number>): MatchInfo | null {
  if (!match) return null;
  const { first, second } = match.totals;
  const totals = { first: first + after.first - before.first, second: second + after.second - before.second };
  return { ...match, totals };
}

function withLevel(seats: BySeat<PlayerInfo | null>, level: number): BySeat<PlayerInfo | null> {
  const change = (player: PlayerInfo | null) =>
    player?.account_type === 'computer' ? { ...player, level } : player;
  return { first: change(seats.first), second: change(seats.second) };
}
