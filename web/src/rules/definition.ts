/** A game as data, as the server hands it out; nothing here knows a game by name. */

import type { Adjacency } from './geometry';

export type ColourName = 'light' | 'dark';
export type Colour = 0 | 1;
export type Seat = 0 | 1;

export const LIGHT: Colour = 0;
export const DARK: Colour = 1;

export interface PieceDefinition {
  kind: string;
  squares: [number, number][];
  /** A character a square: `l`, `d`, or `.` for a piece without colours. */
  colours: string;
  slot: number;
  turn: boolean;
  flip: boolean;
}

export interface PieceStock {
  kind: string;
  label: string;
  count: number;
}

export type ConstraintDefinition =
  | { type: 'must-touch' }
  | { type: 'same-kind-apart' }
  | { type: 'no-full-block'; width: number; height: number }
  | { type: 'first-covers'; cells: number[] }
  | { type: 'level-ground' };

export type ScoringDefinition =
  | { type: 'largest'; groups: number; adjacency: Adjacency }
  | { type: 'ranked'; rank: number; adjacency: Adjacency }
  | { type: 'squares'; groups: number; adjacency: Adjacency }
  | { type: 'product'; groups: number | null; adjacency: Adjacency }
  | { type: 'uncovered' };

export interface FootprintDefinition {
  /** An index into `kinds`. */
  kind: number;
  cells: number[];
  /** The action number of its first face; the others follow one by one. */
  number: number;
  /** Each face is a mask of the light squares over `cells`, or -1 for a piece without colours, and its slot. */
  faces: [number, number][];
}

export interface StageDefinition {
  name: string;
  width: number;
  height: number;
  holes: number[];
  first: ColourName;
  kinds: string[];
  slots: PieceStock[];
  pieces: PieceDefinition[];
  scoring: ScoringDefinition;
  constraints: ConstraintDefinition[];
  tiebreak: ScoringDefinition[];
  /** Points for whoever places last in this stage. */
  last_bonus: number;
  swap: boolean;
  /** The printed symbols; null takes the squares of the stage before. */
  symbols: { light: number[]; dark: number[] } | null;
  footprints: FootprintDefinition[];
}

export interface GameDefinition {
  game: string;
  /** The game's name without options. */
  base: string;
  title: string;
  /** The rule for matches. */
  rule: 'nestorgames' | 'blue-panther';
  tie: 'light' | 'dark' | 'last' | 'draw';
  /** How many action numbers there are. */
  actions: number;
  /** The action number of the swap, where there is one. */
  swap: number | null;
  words: { light: string; dark: string };
  stages: StageDefinition[];
}
