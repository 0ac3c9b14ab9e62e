/** A tree of variations over a start position, with comments and marks; every change can be undone. */

import { GLYPHS, type GameRecord, type RecordedMove } from '../notation/record';
import { NotationError } from '../notation/errors';
import { formatPosition } from '../notation/position';
import { reasonText } from '../board/describe';
import type { ShownLine } from '../play/moveHistory.svelte';
import type { Game, Move } from '../rules/game';
import { moveText, readMove } from '../rules/notation';
import { State } from '../rules/state';

export class TreeNode {
  children: TreeNode[] = [];
  comment = '';
  /** The annotation glyph as in PGN: 1 to 6, or 0 for none. */
  nag = 0;
  private known: State | null = null;

  constructor(
    readonly parent: TreeNode | null,
    readonly move: Move | null,
    start: State | null = null,
  ) {
    this.known = start;
  }

  /** The position after the move, found when it is first needed. */
  get state(): State {
    return (this.known ??= this.parent!.state.play(this.move!));
  }

  get depth(): number {
    let depth = 0;
    for (let node = this.parent; node; node = node.parent) depth += 1;
    return depth;
  }

  /** The nodes from the first move to this one. */
  get path(): TreeNode[] {
    return this.parent ? pathTo(this, this.depth) : [];
  }

  get text(): string {
    return this.move ? moveText(this.state.game, this.move) : '';
  }

  get glyph(): string {
    return GLYPHS[this.nag - 1] ?? '';
  }
}

function pathTo(last: TreeNode, depth: number): TreeNode[] {
  const nodes = new Array<TreeNode>(depth);
  let node = last;
  for (let at = depth - 1; at >= 0; at--) {
    nodes[at] = node;
    node = node.parent!;
  }
  return nodes;
}

const MAX_UNDO = 200;

export class AnalysisTree implements ShownLine {
  readonly root: TreeNode;
  /** The text of the start position; null if it is the start of the game. */
  readonly startText: string | null;
  current = $state.raw<TreeNode>()!;
  /** Counts the changes; whatever reads the tree reads it first. */
  version = $state(0);
  private undos: (() => void)[] = [];

  constructor(
    readonly game: Game,
    readonly start: State = State.start(game),
  ) {
    this.root = new TreeNode(null, null, start);
    this.current = this.root;
    const text = formatPosition(start);
    this.startText = text === formatPosition(State.start(game)) ? null : text;
  }

  /** The nodes of the shown line: the path to the current node, then the first children. */
  private readonly nodes: readonly TreeNode[] = $derived.by(() => {
    void this.version;
    const nodes = this.current.path;
    for (let node = this.current.children[0]; node; node = node.children[0]) nodes.push(node);
    return nodes;
  });

  readonly moves: readonly Move[] = $derived(this.nodes.map((node) => node.move!));

  get states(): readonly State[] {
    return [this.root.state, ...this.nodes.slice(0, this.ply).map((node) => node.state)];
  }

  get ply(): number {
    return this.current.depth;
  }

  get state(): State {
    return this.current.state;
  }

  get latest(): State {
    return (this.nodes[this.nodes.length - 1] ?? this.root).state;
  }

  get last(): Move | null {
    return this.current.move;
  }

  get live(): boolean {
    void this.version;
    return !this.current.children.length;
  }

  get canUndo(): boolean {
    void this.version;
    return this.undos.length > 0;
  }

  /** Whether the shown position is on the main line. */
  get onMainLine(): boolean {
    void this.version;
    return this.current.path.every((node) => node.parent!.children[0] === node);
  }

  /** The action ids that lead to the shown position. */
  get actions(): number[] {
    return this.current.path.map((node) => node.move!.action);
  }

  show(ply: number): void {
    const at = Math.max(0, Math.min(ply, this.nodes.length));
    this.current = at ? this.nodes[at - 1] : this.root;
  }

  go(node: TreeNode): void {
    this.current = node;
  }

  /** Show another move in place of the current one. */
  sibling(step: 1 | -1): boolean {
    const { parent } = this.current;
    const next = parent?.children[parent.children.indexOf(this.current) + step];
    if (next) this.current = next;
    return !!next;
  }

  /** Play a move in the shown position: follow it if it is known, else add it. */
  play(move: Move): void {
    const node = this.current;
    const known = node.children.find((child) => child.move!.action === move.action);
    if (known) {
      this.current = known;
      return;
    }
    const child = new TreeNode(node, move);
    void child.state; // throws if the move is illegal
    this.change(
      () => node.children.push(child),
      () => {
        node.children = node.children.filter((one) => one !== child);
        if (this.current.path.includes(child)) this.current = node;
      },
    );
    this.current = child;
  }

  annotate(node: TreeNode, values: { comment?: string; nag?: number }): void {
    const before = { comment: node.comment, nag: node.nag };
    const after = { ...before, ...values };
    if (after.comment === before.comment && after.nag === before.nag) return;
    this.change(
      () => Object.assign(node, after),
      () => Object.assign(node, before),
    );
  }

  /** The first node on the way to a node that is not the first of its siblings; null on the main line. */
  branch(node: TreeNode): TreeNode | null {
    void this.version;
    return [...node.path].reverse().find((one) => one.parent!.children[0] !== one) ?? null;
  }

  /** Put the line of a node before the one that it leaves. */
  promote(node: TreeNode): void {
    const branch = this.branch(node);
    if (!branch) return;
    const { parent } = branch;
    const before = parent!.children;
    this.change(
      () => (parent!.children = [branch, ...before.filter((child) => child !== branch)]),
      () => (parent!.children = before),
    );
  }

  /** Delete a move and all that follows. */
  remove(node: TreeNode): void {
    const { parent } = node;
    if (!parent) return;
    const before = parent.children;
    const shown = this.current;
    this.change(
      () => {
        parent.children = before.filter((child) => child !== node);
        if (shown.path.includes(node)) this.current = parent;
      },
      () => {
        parent.children = before;
        this.current = shown;
      },
    );
  }

  undo(): void {
    this.undos.pop()?.();
    this.version += 1;
  }

  private change(apply: () => void, revert: () => void): void {
    apply();
    this.undos = [...this.undos.slice(-MAX_UNDO), revert];
    this.version += 1;
  }

  /** Add moves after the start without an entry for undo. */
  load(actions: readonly number[]): void {
    let node = this.root;
    for (const action of actions) {
      const move = this.game.move(action);
      if (!move) throw new NotationError('notation.move', { move: String(action) });
      const child = new TreeNode(node, move);
      node.children.push(child);
      node = child;
    }
    this.version += 1;
  }

  /** The tree as a record. */
  record(tags: Record<string, string> = {}): GameRecord {
    void this.version;
    const position: Record<string, string> = this.startText ? { Position: this.startText } : {};
    return {
      tags: { ...tags, Result: tags.Result ?? '*', Game: this.game.name, ...position },
      comment: this.root.comment,
      moves: recorded(this.root),
    };
  }

  /** The tree of a record over a start position. */
  static fromRecord(game: Game, start: State, record: GameRecord): AnalysisTree {
    const tree = new AnalysisTree(game, start);
    tree.root.comment = record.comment;
    addMoves(tree.root, record.moves);
    return tree;
  }
}

/** The line from a node, with its alternatives as variations. */
function recorded(from: TreeNode): RecordedMove[] {
  const moves: RecordedMove[] = [];
  for (let node = from; node.children.length; node = node.children[0]) {
    const [first, ...others] = node.children;
    moves.push({
      ...recordedMove(first),
      variations: others.map((one) => [recordedMove(one), ...recorded(one)]),
    });
  }
  return moves;
}

function recordedMove({ text, nag, comment }: TreeNode): RecordedMove {
  return { move: text, nags: nag ? [nag] : [], comment, variations: [] };
}

function addMoves(from: TreeNode, moves: readonly RecordedMove[]): void {
  let node = from;
  for (const { move, nags, comment, variations } of moves) {
    const before = node;
    const child = childOf(before, move);
    child.comment = comment;
    child.nag = nags.find((nag) => GLYPHS[nag - 1]) ?? 0;
    for (const line of variations) addMoves(before, line);
    node = child;
  }
}

function childOf(node: TreeNode, text: string): TreeNode {
  const { state } = node;
  const move = readMove(state, text);
  if (!move) throw new NotationError('notation.move', { move: text.slice(0, 40) });
  const reason = state.illegalReason(move);
  if (reason)
    throw new NotationError('notation.illegal', {
      ply: state.ply + 1,
      move: text,
      reason: reasonText(reason),
    });
  const known = node.children.find((child) => child.move!.action === move.action);
  if (known) return known;
  const child = new TreeNode(node, move);
  node.children.push(child);
  return child;
}
