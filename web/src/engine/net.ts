/** Net files of the page: a header with shapes and encoders, and float16 tensors, compressed (`taiji/nets/page.py` writes
    them). */

import type { StageProgram } from '../rules/definition';
import { Game } from '../rules/game';
import { Numbers } from './describe';

export interface NetGame {
  game: string;
  /** The hash of the compiled stage, see `stageKey`. */
  stage: string;
  tie_rule: Game['definition']['program']['tie_rule'];
  board: number[];
  planes: number;
  globals: number;
  kinds: number;
  rule: number;
  rules: number;
  depth: number;
  groups: boolean;
  ratio: boolean;
  policy: number;
  swap: boolean;
  /** After how many placements the game of the net has a swap; null: never. */
  swap_after: number | null;
  /** The index of its policy index in the header. */
  policy_index: number;
  slot_order: number[];
  slot_counts: number[];
}

interface Header {
  name: string;
  value_logit_scale: number;
  tensors: [string, number[]][];
  policy_indexes: number[][];
  games: NetGame[];
}

const FNV_STARTS = [2166136261, 0x9747b28c];

/** The hash by which a net finds a stage: that of its rules without name, printed symbols and swap. */
export function stageKey(stage: StageProgram): string {
  const rules = Object.fromEntries(
    Object.entries(stage).filter(([name]) => !['name', 'symbols', 'pieces', 'swap_after'].includes(name)),
  );
  const text = new TextEncoder().encode(stableJson(rules));
  return FNV_STARTS.map((start) => {
    let state = start;
    for (const byte of text) state = Math.imul(state ^ byte, 16777619);
    return (state >>> 0).toString(16).padStart(8, '0');
  }).join('');
}

/** JSON with the keys of every object in order. */
function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${stableJson(item)}`).join()}}`;
}

/** Whether this browser can read net files. */
export function canReadNets(): boolean {
  return typeof DecompressionStream !== 'undefined';
}

async function decompressed(name: string, file: Response): Promise<ArrayBuffer> {
  if (!file.body) throw new Error(`${name}: an empty file`);
  const content = new Response(file.body.pipeThrough(new DecompressionStream('gzip')));
  try {
    return await content.arrayBuffer();
  } catch (error) {
    throw new Error(`${name}: not a complete net`, { cause: error });
  }
}

export class NetFile {
  readonly header: Header;
  /** The high bytes of all tensors, and their low bytes. */
  private readonly high: Uint8Array;
  private readonly low: Uint8Array;

  /** Read a file; rejects with an error that says what is wrong with it. */
  static async read(name: string, file: Response): Promise<NetFile> {
    return new NetFile(name, await decompressed(name, file));
  }

  private constructor(name: string, buffer: ArrayBuffer) {
    const length = buffer.byteLength >= 4 ? new DataView(buffer).getUint32(0, true) : 0;
    if (length === 0 || 4 + length > buffer.byteLength) throw new Error(`${name}: not a complete net`);
    try {
      this.header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Header;
    } catch {
      throw new Error(`${name}: not a net`);
    }
    const values = this.header.tensors.reduce((sum, [, shape]) => sum + sizeOf(shape), 0);
    if (4 + length + 2 * values !== buffer.byteLength) throw new Error(`${name}: not a complete net`);
    this.high = new Uint8Array(buffer, 4 + length, values);
    this.low = new Uint8Array(buffer, 4 + length + values);
  }

  /** The entry of a game of one stage, with any symbols and any fair start that the net can judge; else null. */
  find(game: Game): NetGame | null {
    if (game.stages.length !== 1) return null;
    const [stage] = game.stages;
    const key = stageKey(stage);
    const alike = this.header.games.filter(
      (known) => known.stage === key && (!known.swap || known.swap_after === stage.swap_after),
    );
    const exact = alike.find((known) => !decidesByMargin(game, known));
    return exact ?? alike.find((known) => !known.ratio) ?? null;
  }

  /** The tensors as the core reads them: name, shape and float32 values. */
  tensors(): Uint8Array {
    const parts: Uint8Array[] = [new Numbers().int(this.header.tensors.length).bytes()];
    let at = 0;
    for (const [name, shape] of this.header.tensors) {
      const text = new TextEncoder().encode(name);
      const padded = new Uint8Array(Math.ceil(text.length / 4) * 4);
      padded.set(text);
      const values = new Float32Array(sizeOf(shape));
      for (let i = 0; i < values.length; i++, at++) values[i] = fromHalf((this.high[at] << 8) | this.low[at]);
      parts.push(new Numbers().int(text.length).bytes(), padded, new Numbers().ints(shape).bytes());
      parts.push(new Uint8Array(values.buffer));
    }
    const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of parts) {
      joined.set(part, end);
      end += part.length;
    }
    return joined;
  }

  /** Describe how the core encodes a game for this net. */
  describe(numbers: Numbers, entry: NetGame, game: Game): Numbers {
    numbers.int(entry.planes, entry.globals, entry.kinds, entry.rule, entry.rules, entry.depth);
    numbers.flag(entry.groups).flag(entry.ratio).int(entry.policy).flag(entry.swap);
    numbers.flag(decidesByMargin(game, entry)).mask(entry.board);
    numbers.ints(policyIndex(this.header.policy_indexes[entry.policy_index], entry, game));
    return numbers.ints(entry.slot_order).ints(entry.slot_counts);
  }

  /** The win probability that is shown: the logit times the net's scale. */
  calibrated(winProb: number): number {
    if (!(winProb > 0 && winProb < 1)) return winProb;
    const odds = (winProb / (1 - winProb)) ** this.header.value_logit_scale;
    return odds / (1 + odds);
  }
}

/** Whether the margins decide: the game has another komi or tie rule than the net. */
export function decidesByMargin(game: Game, entry: NetGame): boolean {
  const { tie_rule, komi, komi_names } = game.definition.program;
  return tie_rule !== entry.tie_rule || komi !== 0 || komi_names.length > 0;
}

/** The policy index with an entry for each choice that the game of the net has not: a swap, a named komi. */
function policyIndex(known: readonly number[], entry: NetGame, game: Game): number[] {
  const missing = game.definition.program.action_count - known.length / 2;
  const [{ width, height }] = game.stages.map((stage) => stage.board);
  const extra = Array.from({ length: missing }, () => entry.policy * width * height);
  const half = known.length / 2;
  return [...known.slice(0, half), ...extra, ...known.slice(half), ...extra];
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((size, side) => size * side, 1);
}

/** A 16-bit floating-point number; none is infinite. */
function fromHalf(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size = exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction;
  return bits & 0x8000 ? -size : size;
}

/** The first stage of a double game as the single game that a net knows; null if none does. */
export function firstStageGame(game: Game, nets: readonly NetFile[]): Game | null {
  if (game.stages.length === 1) return null;
  const { program, stages } = game.definition;
  // The half point for the last placement hardly changes how a stage is played.
  const stage: StageProgram = { ...program.stages[0], last_placement_bonus: 0 };
  const key = stageKey(stage);
  for (const { header } of nets) {
    const known = header.games.find((entry) => entry.stage === key && entry.swap_after === stage.swap_after);
    if (!known) continue;
    const actions = game.layouts[0].placements.length;
    return new Game({
      ...game.definition,
      game: known.game,
      stages: stages.slice(0, 1),
      program: {
        ...program,
        stages: [stage],
        tie_rule: known.tie_rule,
        swap_action: stage.swap_after === null ? null : actions,
        action_count: actions + Number(stage.swap_after !== null),
        komi: 0,
        komi_names: [],
        opening: [],
      },
    });
  }
  return null;
}
