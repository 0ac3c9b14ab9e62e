/** Records as text: tags, moves with glyphs, comments and variations, as in docs/notation.md. */

import { NotationError } from './errors';

export interface RecordedMove {
  move: string;
  /** Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`. */
  nags: number[];
  comment: string;
  /** Alternatives to this move. */
  variations: RecordedMove[][];
}

export interface GameRecord {
  tags: Record<string, string>;
  comment: string;
  moves: RecordedMove[];
}

export const GLYPHS = ['!', '?', '!!', '??', '!?', '?!'];

const TAG = /\s*\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\\n]|\\[^\n])*)"\s*\]/y;
const TOKEN =
  /\s+|\{((?:[^\\}]|\\[^])*)\}|;([^\n]*)|([()])|\$([0-9]{1,3})|([!?]{1,2})|((?:1-0|0-1|1\/2-1\/2|\*)(?=[\s(){};]|$))|[0-9]{1,5}\.+|([^\s(){};$!?]+)/y;
const MAX_DEPTH = 32;

/** Parse the first game of a text; moves are not checked by the rules. */
export function parseRecord(text: string): GameRecord {
  const tags: Record<string, string> = {};
  let at = 0;
  for (TAG.lastIndex = 0; ;) {
    const tag = TAG.exec(text);
    if (!tag) break;
    tags[tag[1]] = tag[2].replace(/\\(.)/g, '$1');
    at = TAG.lastIndex;
  }
  if (!tags.Game) throw new NotationError('notation.no-game');
  return { tags, ...new Movetext(text, at).read(0) };
}

class Movetext {
  private ended = false;

  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  /** Read to the end of a variation, or of the game at depth 0. */
  read(depth: number): { comment: string; moves: RecordedMove[] } {
    const moves: RecordedMove[] = [];
    let comment = '';
    while (this.at < this.text.length && !this.ended) {
      TOKEN.lastIndex = this.at;
      const token = TOKEN.exec(this.text);
      const start = this.at;
      if (!token) throw this.error(start);
      this.at = TOKEN.lastIndex;
      const [, braces, rest, bracket, nag, glyph, result, move] = token;
      const last = moves[moves.length - 1];
      if (move) {
        // The next game of a file begins with a tag.
        if (move.startsWith('[') && depth === 0) break;
        moves.push({ move, nags: [], comment: '', variations: [] });
      } else if (braces !== undefined || rest !== undefined) {
        const said = braces === undefined ? rest : plain(braces);
        if (last) last.comment = joined(last.comment, said);
        else comment = joined(comment, said);
      } else if (bracket === '(') {
        if (!last || depth >= MAX_DEPTH) throw this.error(start);
        last.variations.push(this.read(depth + 1).moves);
      } else if (bracket === ')') {
        if (!depth || !moves.length) throw this.error(start);
        return { comment, moves };
      } else if (nag || glyph) {
        const value = nag ? Number(nag) : GLYPHS.indexOf(glyph) + 1;
        if (!last || !value) throw this.error(start);
        last.nags.push(value);
      } else if (result && depth === 0) this.ended = true;
      else if (result) throw this.error(start);
    }
    if (depth) throw this.error(this.text.length);
    return { comment, moves };
  }

  private error(at: number): NotationError {
    const before = this.text.slice(0, at).split('\n');
    return new NotationError('notation.record', { line: before.length, column: before.at(-1)!.length + 1 });
  }
}

/** A comment without clock times and evaluations. */
function plain(text: string): string {
  return text.replace(/\\(.)|\[%(?:clk|eval)\s[^\]]*\]/gs, (_, escaped: string | undefined) => escaped ?? '');
}

function joined(...texts: string[]): string {
  return texts.join(' ').split(/\s+/).filter(Boolean).join(' ');
}

/** Format a record; `ply` is the number of the first move, counted from 0. */
export function formatRecord({ tags, comment, moves }: GameRecord, ply = 0): string {
  const quoted = (value: string) => value.replace(/["\\]/g, '\\$&');
  const heading = Object.entries(tags).map(([name, value]) => `[${name} "${quoted(value)}"]\n`);
  const words = [...braced(comment), ...tokens(moves, ply), tags.Result ?? '*'];
  return `${heading.join('')}\n${words.join(' ')}\n`;
}

function braced(comment: string): string[] {
  return comment ? [`{${comment.replace(/[\\{}[]/g, '\\$&')}}`] : [];
}

function tokens(moves: readonly RecordedMove[], first: number): string[] {
  let numbered = false;
  return moves.flatMap(({ move, nags, comment, variations }, index) => {
    const ply = first + index;
    const number = ply % 2 === 0 || !numbered ? `${(ply >> 1) + 1}${ply % 2 ? '...' : '.'} ` : '';
    numbered = !comment && !variations.length;
    const glyph = GLYPHS[nags[0] - 1] ?? '';
    return [
      number + move + glyph,
      ...(glyph ? nags.slice(1) : nags).map((nag) => `$${nag}`),
      ...braced(comment),
      ...variations.map((line) => `(${tokens(line, ply).join(' ')})`),
    ];
  });
}
