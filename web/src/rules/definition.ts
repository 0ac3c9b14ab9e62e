/** The types of a game definition, generated from the server's contract, and the numbers of colours and seats. */

export type {
  Adjacency,
  Cells as CellSet,
  FootprintDefinition,
  GameDefinition,
  GameProgram,
  PieceDefinition,
  PlacementTest,
  Region,
  StageProgram,
  Tally,
  Why,
} from '../net/generated/contract';

export type Colour = 0 | 1;
export type Seat = 0 | 1;

export const LIGHT: Colour = 0;
export const DARK: Colour = 1;
