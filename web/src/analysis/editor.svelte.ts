/** A position that is being set up: pieces by stage, side to move, exchanged colours and drawn symbols. */

import { colourName, reasonText } from '../board/describe';
import { t } from '../i18n/index.svelte';
import { loadGame } from '../lib/games';
import { gameText, parseGame } from '../lib/titles';
import type { ShownLine } from '../play/moveHistory.svelte';
import type { Colour } from '../rules/definition';
import { Game, isPlacement, type Move } from '../rules/game';
import type { Placement } from '../rules/layout';
import { reason } from '../rules/reasons';
import { placements, restore } from '../rules/restore';
import { State } from '../rules/state';

export type Tool = 'place' | 'erase' | 'x' | 'o' | 'blank';

/** The test that every placement passes in the editor, whatever the other rules say. */
const NEEDED_TEST = 'occupied';

export class Editor implements ShownLine {
  tool = $state<Tool>('place');
  stage = $state(0);
  /** The side to move that the user asks for; null follows from the pieces. */
  wantedColour = $state<Colour | null>(null);
  swapped = $state(false);
  /** The komi that was named, in half points; 0 as long as none was, so that pieces can be placed. */
  private komi = 0;
  private placed = $state.raw<readonly (readonly Placement[])[]>([]);
  private loose = $state.raw<Game>()!;
  /** The marks of the drawn board by cell; null if the game has none. */
  private marks = $state.raw<readonly ('x' | 'o' | '.')[] | null>(null);
  private drawn = $state(false);

  constructor(
    private readonly base: Game,
    position: State,
  ) {
    this.placed = placements(position);
    this.swapped = position.swapped;
    this.komi = position.komi ?? 0;
    this.stage = position.stageIndex;
    const { symbols } = base.stages[0];
    if (symbols) {
      const mark = (cell: number) =>
        symbols.light.includes(cell) ? 'x' : symbols.dark.includes(cell) ? 'o' : '.';
      this.marks = Array.from({ length: base.boards[0].size }, (_, cell) => mark(cell));
    }
    this.loose = this.loosened();
  }

  readonly state: State = $derived.by(() => {
    const stages = Array.from({ length: this.stage + 1 }, (_, stage) => this.placed[stage] ?? []);
    return State.arrange(this.loose, stages, this.swapped);
  });

  // The board shows one position.
  readonly moves: readonly Move[] = [];
  readonly ply = 0;
  readonly last = null;
  readonly live = true;
  show(): void {}
  get game(): Game {
    return this.loose;
  }
  get latest(): State {
    return this.state;
  }
  get states(): readonly State[] {
    return [this.state];
  }

  get canDraw(): boolean {
    return this.marks !== null;
  }

  get canSwap(): boolean {
    return this.base.stages.some((stage) => stage.swap_after !== null);
  }

  /** Why the position is impossible; empty if it is not. */
  readonly problem: string = $derived.by(() => {
    const found = restore(this.base, this.placed, this.swapped, this.komi);
    if (!found.state) return reasonText(found.reason);
    const { state } = found;
    if (this.stage > state.stageIndex) return reasonText(reason('stage-open'));
    if (this.wantedColour !== null && !state.isOver && state.colourToMove !== this.wantedColour)
      return t('editor.wrong-side', {
        n: state.layer.placed.length,
        who: colourName(this.base, state.colourToMove),
      });
    return '';
  });

  /** Place a piece. */
  play(move: Move): void {
    if (!isPlacement(move)) return;
    this.setStage([...(this.placed[this.stage] ?? []), move]);
  }

  /** Use a tool other than the pieces on a cell; return whether it is one. */
  pick(cell: number): boolean {
    if (this.tool === 'place') return false;
    if (this.tool === 'erase') {
      this.setStage(
        (this.placed[this.stage] ?? []).filter(({ footprint }) => !footprint.cells.includes(cell)),
      );
    } else if (this.marks) {
      const mark = this.tool === 'blank' ? '.' : this.tool;
      this.marks = this.marks.map((old, at) => (at === cell ? mark : old));
      this.drawn = true;
      this.loose = this.loosened();
    }
    return true;
  }

  clear(): void {
    this.setStage([]);
    this.swapped = false;
    this.wantedColour = null;
  }

  /** Put pieces on the edited stage; those of later stages lie on them and go away. */
  private setStage(pieces: readonly Placement[]): void {
    const before = Array.from({ length: this.stage }, (_, stage) => this.placed[stage] ?? []);
    this.placed = [...before, pieces];
  }

  /** The game without the rules that depend on the order of the pieces. */
  private loosened(): Game {
    const { definition } = this.base;
    const { program } = definition;
    const stages = program.stages.map((stage, index) => ({
      ...stage,
      symbols: index === 0 && this.marks ? this.symbols() : stage.symbols,
      tests: stage.tests.filter(({ why }) => why.code === NEEDED_TEST),
    }));
    return new Game({ ...definition, program: { ...program, stages } });
  }

  private symbols(): { light: number[]; dark: number[] } {
    const cells = (mark: string) => [...this.marks!.keys()].filter((cell) => this.marks![cell] === mark);
    return { light: cells('x'), dark: cells('o') };
  }

  /** The game with the drawn board. */
  private async finishedGame(): Promise<Game> {
    if (!this.drawn || !this.marks) return this.base;
    const { width, height } = this.base.boards[0];
    const rows = Array.from({ length: height }, (_, row) =>
      this.marks!.slice(row * width, (row + 1) * width).join(''),
    );
    const { base, options } = parseGame(this.base.name);
    const { swap } = options;
    const text = gameText({
      base,
      options: { symbols: rows.reverse().join('|'), ...(swap ? { swap } : {}) },
    });
    return loadGame(text);
  }

  /** The position as a state that games lead to; only for a position without a problem. */
  async finish(): Promise<State> {
    const game = await this.finishedGame();
    const placed = this.placed.map((stage) => stage.map(({ action }) => game.placements[action]));
    const found = restore(game, placed, this.swapped, this.komi);
    if (!found.state) throw new Error(found.reason.code);
    return found.state;
  }
}
