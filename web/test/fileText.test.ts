import { expect, test } from 'vitest';
import { fileText } from '../src/lib/fileText';

const NAME = '[Light "José"]';

test.each([
  ['UTF-8', new TextEncoder().encode(NAME)],
  ['UTF-8 with a mark', new TextEncoder().encode(`\ufeff${NAME}`)],
  ['Windows-1252', Uint8Array.from(NAME, (letter) => letter.charCodeAt(0))],
])('a file in %s is read', async (_encoding, bytes) => {
  expect(await fileText(new Blob([bytes]))).toBe(NAME);
});
