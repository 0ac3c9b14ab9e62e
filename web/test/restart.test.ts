/** A table's socket when its server restarts: connected again at once, without a word to the player. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TableSocket } from '../src/net/socket';

class FakeSocket {
  static readonly OPEN = 1;
  static readonly CONNECTING = 0;
  static opened: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen?: () => void;
  onclose?: (event: { code: number }) => void;

  constructor() {
    FakeSocket.opened.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }

  accept(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  end(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'games.example' });
  vi.stubGlobal('addEventListener', () => undefined);
  FakeSocket.opened = [];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function connect(): { shown: boolean[]; socket: TableSocket } {
  const shown: boolean[] = [];
  const connected = (yes: boolean): void => void shown.push(yes);
  const socket = new TableSocket('t', { message() {}, connected, onNotFound() {} });
  FakeSocket.opened[0].accept();
  return { shown, socket };
}

test('a restart is not shown, and what was not acknowledged is sent again', () => {
  const { shown, socket } = connect();
  socket.send({ type: 'resign' });
  FakeSocket.opened[0].end(1012);
  expect(shown).toEqual([true]);
  vi.advanceTimersByTime(400);
  expect(FakeSocket.opened).toHaveLength(2);
  FakeSocket.opened[1].accept();
  expect(FakeSocket.opened[1].sent).toEqual(FakeSocket.opened[0].sent);
});

test('a server that does not come back is shown, and asked less and less often', () => {
  const { shown } = connect();
  FakeSocket.opened[0].end(1012);
  vi.advanceTimersByTime(400);
  FakeSocket.opened[1].end(1006);
  expect(shown).toEqual([true, false]);
  for (const [attempt, wait] of [500, 1000, 2000, 4000, 8000, 8000].entries()) {
    vi.advanceTimersByTime(wait - 1);
    expect(FakeSocket.opened).toHaveLength(attempt + 2);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.opened).toHaveLength(attempt + 3);
    FakeSocket.opened[attempt + 2].end(1006);
  }
});
