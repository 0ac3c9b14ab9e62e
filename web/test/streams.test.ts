import { describe, expect, test } from 'vitest';
import type { TableEvent, TableInfo } from '../src/net/types';
import { applyEvent } from '../src/play/reduce';
import { runPython } from './python';

interface Stream {
  snapshot: TableInfo;
  events: TableEvent[];
  final: TableInfo;
}

const streams = runPython<Stream[]>('tests/server/event_streams.py', '0', '60');

describe('the reducer agrees with the server’s table', () => {
  test.each(streams.map((stream, seed) => ({ seed, ...stream })))(
    'stream $seed',
    ({ snapshot, events, final }) => {
      expect(events.reduce(applyEvent, snapshot)).toEqual(final);
    },
  );
});
