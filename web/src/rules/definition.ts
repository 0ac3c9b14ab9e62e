/** A game as the server sends it: the compiled rules, and the pieces and footprints of each stage. */

export type ColourName = 'light' | 'dark';
export type Colour = 0 | 1;
export type Seat = 0 | 1;
export type Adjacency = 'edge' | 'king';

export const LIGHT: Colour = 0;
export const DARK: Colour = 1;

export type Region =
  | { type: 'under' }
  | { type: 'around'; adjacency: Adjacency }
  | { type: 'fixed'; cells: number[] }
  | { type: 'each'; sets: number[][] };

/** A set of cells that explains a failed test. */
export type CellSet = 'none' | 'hits' | 'misses' | 'mask' | 'piece';

/** How a failed test is explained; `text` and `word` have placeholders, as in `rules/program.py`. */
export interface Why {
  code: string;
  text: string;
  cells: CellSet;
  pick: 'all' | 'first' | 'ends';
  word: string;
  mark: CellSet;
}

/** A condition on placing: in each mask of the region, the number of cells in the plane must be in a range. */
export interface Test {
  rule: string;
  plane: 'piece' | 'covered' | 'after' | 'kind' | 'ground';
  region: Region;
  /** Inclusive ranges; a negative end counts from the size of the mask: -1 all cells, -2 all but one. */
  counts: [number, number][];
  why: Why;
  when: 'always' | 'first' | 'later';
}

/** A way to score: the groups of ranks `first` to `last`, largest first, each worth `value[size]`. */
export interface Tally {
  rule: string;
  source: 'squares' | 'symbols';
  join: Adjacency | null;
  first: number;
  last: number | null;
  value: number[];
  fold: 'sum' | 'product';
  /** How one group is shown, such as `{n}²`. */
  term: string;
}

export interface StageProgram {
  name: string;
  board: { width: number; height: number; holes: number[] };
  kinds: string[];
  tests: Test[];
  score: Tally;
  tiebreak: Tally[];
  first_colour: ColourName;
  supply: number[];
  /** The printed symbols; null takes the squares of the previous stage. */
  symbols: Record<ColourName, number[]> | null;
  /** In half points. */
  last_placement_bonus: number;
  swap: boolean;
  traits: { heights_matter: boolean; start_cells: number[]; is_constrained: boolean };
}

export interface GameProgram {
  format: number;
  name: string;
  stages: StageProgram[];
  tie_rule: 'light' | 'dark' | 'last' | 'draw';
  swap_action: number | null;
  action_count: number;
  colour_names: Record<ColourName, string>;
}

export interface PieceDefinition {
  kind: string;
  squares: [number, number][];
  /** One character per square: `l`, `d`, or `.` for a piece without colours. */
  colours: string;
  /** An index into the supply. */
  stock: number;
  can_rotate: boolean;
  can_flip: boolean;
}

export interface FootprintDefinition {
  /** An index into `kinds`. */
  kind: number;
  cells: number[];
  /** The action of the first face; the other faces follow. */
  action: number;
  /** Per face, a mask of the light squares over `cells` (-1 for a piece without colours) and its stock. */
  faces: [number, number][];
}

export interface GameDefinition {
  game: string;
  /** The game's name without options. */
  base: string;
  title: string;
  match_rule: 'nestorgames' | 'blue-panther';
  program: GameProgram;
  stages: { pieces: PieceDefinition[]; footprints: FootprintDefinition[] }[];
}
