/** Rounded outlines of sets of cells: a piece, a scoring group, the lower stage of a double game. */

export interface OutlineOptions {
  /** Distance from the cells' edges to the path inside them (negative: outside). */
  inset: number;
  radius: number;
  /** Width of the bridge that joins cells touching only at a corner; none if missing. */
  bridge?: number;
}

/** Position and size of the grid in the picture; y grows downwards. */
export interface Grid {
  cell: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

type Point = [number, number];

const LEFT_FIRST = 1;
const RIGHT_FIRST = -1;

/** Return a path of closed, rounded loops around cells (cell = row * width + column, row 0 at the bottom). */
export function outline(cells: Iterable<number>, grid: Grid, options: OutlineOptions): string {
  const own = new Set(cells);
  const has = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < grid.width && y < grid.height && own.has(y * grid.width + x);
  return loops(boundary(own, grid, has), options.bridge ? RIGHT_FIRST : LEFT_FIRST)
    .map((loop) => rounded(shifted(loop, grid, options), options.radius))
    .join('');
}

/** Directed unit edges around the cells, with the inside on the left, by start corner. */
function boundary(
  own: Set<number>,
  grid: Grid,
  has: (x: number, y: number) => boolean,
): Map<string, Point[]> {
  const edges = new Map<string, Point[]>();
  const add = (x: number, y: number, direction: Point) => {
    const at = `${x},${y}`;
    const known = edges.get(at);
    if (known) known.push(direction);
    else edges.set(at, [direction]);
  };
  for (const cell of own) {
    const x = cell % grid.width;
    const y = Math.floor(cell / grid.width);
    if (!has(x, y - 1)) add(x, y, [1, 0]);
    if (!has(x + 1, y)) add(x + 1, y, [0, 1]);
    if (!has(x, y + 1)) add(x + 1, y + 1, [-1, 0]);
    if (!has(x - 1, y)) add(x, y + 1, [0, -1]);
  }
  return edges;
}

interface Corner {
  at: Point;
  into: Point;
  out: Point;
  /** Whether two loops meet here and are joined by a bridge. */
  saddle: boolean;
}

function cross(a: Point, b: Point): number {
  return a[0] * b[1] - a[1] * b[0];
}

function loops(edges: Map<string, Point[]>, prefer: number): Corner[][] {
  const result: Corner[][] = [];
  for (const start of edges.keys()) {
    while (edges.get(start)?.length) {
      const corners: Corner[] = [];
      let [x, y] = start.split(',').map(Number);
      let direction = edges.get(start)!.pop()!;
      const first = direction;
      for (;;) {
        x += direction[0];
        y += direction[1];
        const at = `${x},${y}`;
        const choices = edges.get(at)!;
        // Back at the start: the first edge is already used.
        if (at === start && (!choices.length || cross(direction, first) === prefer)) {
          corners.push({
            at: [x, y],
            into: direction,
            out: first,
            saddle: choices.length > 0 && prefer === RIGHT_FIRST,
          });
          break;
        }
        const both = choices.length > 1 || at === start;
        let index = choices.findIndex((choice) => cross(direction, choice) === prefer);
        if (index < 0) index = 0;
        const [out] = choices.splice(index, 1);
        corners.push({ at: [x, y], into: direction, out, saddle: both && prefer === RIGHT_FIRST });
        direction = out;
      }
      result.push(markSaddles(corners));
    }
  }
  return result;
}

/** Mark both visits of a corner that a loop passes twice; on the second visit only one edge was left. */
function markSaddles(corners: Corner[]): Corner[] {
  const count = new Map<string, number>();
  for (const { at } of corners) count.set(at.join(), (count.get(at.join()) ?? 0) + 1);
  return corners.map((corner) => ({ ...corner, saddle: corner.saddle || count.get(corner.at.join())! > 1 }));
}

/** The corners of a loop, inset, as points of the picture. */
function shifted(loop: Corner[], grid: Grid, { inset, bridge = 0 }: OutlineOptions): Point[] {
  const points: Point[] = [];
  const put = (x: number, y: number) => points.push([grid.left + x, grid.top + grid.height * grid.cell - y]);
  for (const { at, into, out, saddle } of loop) {
    if (into[0] === out[0] && into[1] === out[1]) continue;
    const x = at[0] * grid.cell;
    const y = at[1] * grid.cell;
    const n1: Point = [-into[1], into[0]];
    const n2: Point = [-out[1], out[0]];
    if (saddle && bridge) {
      const back = inset + bridge / Math.SQRT2;
      put(x + inset * n1[0] - back * into[0], y + inset * n1[1] - back * into[1]);
      put(x + inset * n2[0] + back * out[0], y + inset * n2[1] + back * out[1]);
    } else {
      put(x + inset * (n1[0] + n2[0]), y + inset * (n1[1] + n2[1]));
    }
  }
  return points;
}

/** A closed path through these points with rounded corners. */
export function rounded(points: Point[], radius: number): string {
  const count = points.length;
  const parts: string[] = [];
  for (let i = 0; i < count; i++) {
    const before = points[(i + count - 1) % count];
    const point = points[i];
    const after = points[(i + 1) % count];
    const one = unit(before, point);
    const two = unit(point, after);
    const turn = Math.atan2(
      cross(one.direction, two.direction),
      one.direction[0] * two.direction[0] + one.direction[1] * two.direction[1],
    );
    const tangent = Math.min(radius * Math.abs(Math.tan(turn / 2)), one.length / 2, two.length / 2);
    const bend = Math.abs(tangent / Math.tan(turn / 2));
    const from = [point[0] - one.direction[0] * tangent, point[1] - one.direction[1] * tangent];
    const to = [point[0] + two.direction[0] * tangent, point[1] + two.direction[1] * tangent];
    parts.push(`${i ? 'L' : 'M'}${short(from[0])} ${short(from[1])}`);
    if (tangent > 0.01)
      parts.push(`A${short(bend)} ${short(bend)} 0 0 ${turn > 0 ? 1 : 0} ${short(to[0])} ${short(to[1])}`);
  }
  return `${parts.join('')}Z`;
}

function unit(from: Point, to: Point): { direction: Point; length: number } {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length = Math.hypot(dx, dy) || 1;
  return { direction: [dx / length, dy / length], length };
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
