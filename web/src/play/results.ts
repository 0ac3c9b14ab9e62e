/** Descriptions of results of games and matches. */

import { colourName } from '../board/describe';
import { number, t } from '../i18n/index.svelte';
import type { TableInfo } from '../net/types';
import type { State } from '../rules/state';
import type { Seat } from '../rules/definition';

export interface ResultDescription {
  title: string;
  detail: string;
  won: boolean;
}

/** A score that decided, with the komi in it. */
export function scoreText({ komi }: State, score: string): string {
  return komi ? t('result.by-komi', { score, komi: number(komi / 2) }) : t('result.by-score', { score });
}

/** Describe a table's result from the viewer's side. */
export function describeResult(table: TableInfo, final: State): ResultDescription {
  const { result, your_seat: you } = table;
  if (!result || result.ended_by === 'aborted') return { title: t('result.aborted'), detail: '', won: false };
  const seat: Seat | null = result.winner === null ? null : result.winner === 'first' ? 0 : 1;
  const winner = seat === null ? '' : colourName(final.game, final.colourOf(seat));
  const won = result.winner !== null && result.winner === you;
  const title =
    result.winner === null
      ? t('result.draw')
      : you
        ? won
          ? t('result.you-won')
          : t('result.you-lost')
        : t('result.wins', { winner });
  const score = `${number(result.scores.first)} : ${number(result.scores.second)}`;
  const tied = result.scores.first === result.scores.second;
  let detail = scoreText(final, score);
  if (result.ended_by === 'resign') detail = t('result.by-resign', { winner });
  else if (result.ended_by === 'time') detail = t('result.by-time', { winner });
  else if (tied && seat !== null) detail = t('result.by-tie', { score, winner });
  return { title, detail, won };
}

/** Describe the running score or the result of a table's match; empty without a match. */
export function describeMatch(table: TableInfo): string {
  const { match, your_seat: you } = table;
  if (!match) return '';
  const mine = you ?? 'first';
  const other = mine === 'first' ? 'second' : 'first';
  const totals = match.result?.totals ?? match.totals;
  let score = `${number(totals[mine])} : ${number(totals[other])}`;
  if (!match.result) return t('match.running', { number: match.game_no, score });
  const { ended_by } = match.result;
  // The totals do not decide a match that was given up.
  if (ended_by === 'resign' || ended_by === 'time') score = t(`result.short.${ended_by}`);
  if (match.result.winner === null) return t('match.drawn', { score });
  if (!you) return t('match.over', { score });
  return match.result.winner === you ? t('match.won', { score }) : t('match.lost', { score });
}
