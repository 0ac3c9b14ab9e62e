/** The turns and reflections of the board that keep a whole game, as maps from cell to cell. */

import type { Game, Stage } from '../rules/game';

type Image = readonly number[];

/** The symmetries of a game, in the order of the Python package; the first keeps every cell. */
export function symmetriesOf(game: Game): Image[] {
  const { width, height } = game.boards[0];
  return boardImages(width, height).filter((image) => game.stages.every((stage) => keeps(stage, image)));
}

function boardImages(width: number, height: number): Image[] {
  const [right, top] = [width - 1, height - 1];
  const maps: ((x: number, y: number) => [number, number])[] = [
    (x, y) => [x, y],
    (x, y) => [right - x, y],
    (x, y) => [x, top - y],
    (x, y) => [right - x, top - y],
  ];
  if (width === height) {
    maps.push(
      (x, y) => [y, x],
      (x, y) => [right - y, x],
      (x, y) => [y, top - x],
      (x, y) => [right - y, top - x],
    );
  }
  return maps.map((move) =>
    Array.from({ length: width * height }, (_, cell) => {
      const [x, y] = move(cell % width, Math.floor(cell / width));
      return y * width + x;
    }),
  );
}

/** Whether a map keeps the holes, the symbols and every set of cells that a rule names. */
function keeps({ board, tests, symbols, pieces }: Stage, image: Image): boolean {
  if (image.every((to, cell) => to === cell)) return true;
  if (board.width * board.height !== image.length) return false;
  const families: number[][][] = [[board.holes]];
  for (const { region } of tests) {
    if (region.type === 'fixed') families.push([region.cells]);
    if (region.type === 'each') families.push(region.sets);
  }
  if (symbols) families.push([symbols.light], [symbols.dark]);
  const key = (cells: readonly number[]) => [...cells].sort((a, b) => a - b).join();
  const same = (sets: number[][]) => {
    const before = new Set(sets.map(key));
    return sets.every((cells) => before.has(key(cells.map((cell) => image[cell]))));
  };
  return families.every(same) && pieces.every(({ can_rotate, can_flip }) => can_rotate && can_flip);
}
