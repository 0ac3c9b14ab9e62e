/** The continuous evaluation of the shown position of a tree. */

import { ghostOf, type Ghost } from '../board/ghost';
import { load, save } from '../lib/localStore';
import type { Analysis, ErrorInfo } from '../net/types';
import { isPlacement } from '../rules/game';
import { think } from './thinker';
import type { AnalysisTree, TreeNode } from './tree.svelte';

export type Line = Analysis['candidates'][number];

/** A reader who steps through a game does not want a search per step. */
const SETTLE_MS = 120;
export const MAX_LINES = 5;

interface EvaluatorSettings {
  on: boolean;
  lines: number;
}

export class Evaluator {
  on = $state(false);
  lines = $state(3);
  analysis = $state.raw<Analysis | null>(null);
  thinking = $state(false);
  error = $state.raw<ErrorInfo | null>(null);
  /** The line that the reader points at. */
  pointed = $state.raw<Line | null>(null);
  private readonly known = new WeakMap<TreeNode, Analysis>();

  /** The choices are saved under a key; `on` is the first one. */
  constructor(
    private readonly key: string,
    on = true,
  ) {
    const saved = load<EvaluatorSettings>(key, { on, lines: 3 });
    this.on = saved.on;
    this.lines = Math.min(MAX_LINES, Math.max(1, saved.lines));
  }

  set(choices: Partial<EvaluatorSettings>): void {
    Object.assign(this, choices);
    save(this.key, { on: this.on, lines: this.lines });
  }

  /** Evaluate the current position of a tree until the returned function is called. */
  follow(tree: AnalysisTree): () => void {
    const node = tree.current;
    const { lines } = this;
    const { state, actions, startText } = tree;
    this.pointed = null;
    this.error = null;
    const known = this.known.get(node) ?? null;
    // Not read again here: an effect that reads it would start again with every report.
    this.analysis = known;
    this.thinking = false;
    if (!this.on || state.isOver || (known && this.enough(known, lines))) return () => undefined;
    const abort = new AbortController();
    this.thinking = true;
    const timer = setTimeout(() => {
      const position = { state, moves: actions, start: startText };
      const report = (analysis: Analysis) => this.take(node, analysis);
      void think(position, lines, report, abort.signal).then((error) => {
        if (abort.signal.aborted) return;
        this.thinking = false;
        this.error = error;
      });
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }

  private enough(analysis: Analysis, lines: number): boolean {
    return analysis.exact && analysis.candidates.length >= lines;
  }

  private take(node: TreeNode, analysis: Analysis): void {
    this.known.set(node, analysis);
    this.analysis = analysis;
  }

  /** The line to draw: the one pointed at, else the best. */
  get drawn(): Line | null {
    return this.pointed ?? (this.on ? (this.analysis?.candidates[0] ?? null) : null);
  }

  ghost(tree: AnalysisTree): Ghost | null {
    const line = this.drawn;
    const move = line && tree.game.move(line.move);
    if (!move || !isPlacement(move) || tree.state.illegalReason(move)) return null;
    return ghostOf(tree.state, move);
  }
}
