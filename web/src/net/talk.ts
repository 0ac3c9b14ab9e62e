/** Calls about phrases, blocks and reports. */

import { call } from './api';
import type { BlockInfo, ReportReason, TableTalk } from './types';

/** A player: an account by its name, or the opponent at a table. */
export type PlayerChoice = { player: string } | { table: string };

const id = encodeURIComponent;

export const talk = {
  read: (table: string) => call<TableTalk>('GET', `/api/tables/${id(table)}/phrases`),
  blocks: () => call<{ blocks: BlockInfo[] }>('GET', '/api/blocks'),
  block: (target: PlayerChoice) => call<BlockInfo>('POST', '/api/blocks', target),
  unblock: (block: string) => call<void>('DELETE', `/api/blocks/${id(block)}`),
  report: (target: PlayerChoice, reason: ReportReason, comment: string) =>
    call<unknown>('POST', '/api/reports', { ...target, reason, comment }),
};
