import { expect, test, describe } from 'vitest';
import { reasonText } from '../src/board/describe';
import type { GameDefinition, PlacementTest, StageProgram } from '../src/rules/definition';
import { Game } from '../src/rules/game';
import { Unsupported } from '../src/rules/program';
import { State } from '../src/rules/state';
import { gameDefinitions } from './python';

const [tailits] = gameDefinitions('tailits');

/** TAILITS with a change of its program. */
function changed(change: (stage: StageProgram, definition: GameDefinition) => void): GameDefinition {
  const definition = structuredClone(tailits);
  change(definition.program.stages[0], definition);
  return definition;
}

/** A value that no type allows. */
const invented = 'invented' as never;
const last = <T>(list: T[]) => list[list.length - 1];

describe('an unknown rule is refused by name, before any move', () => {
  test.each<[string, string, (stage: StageProgram, definition: GameDefinition) => void]>([
    ['plane', 'no-full-block', (stage) => (last(stage.tests).plane = invented)],
    ['region', 'no-full-block', (stage) => (last(stage.tests).region = { type: invented })],
    ['time', 'no-full-block', (stage) => (last(stage.tests).when = invented)],
    ['cells', 'no-full-block', (stage) => (last(stage.tests).why.cells = invented)],
    ['mark', 'no-full-block', (stage) => (last(stage.tests).why.mark = invented)],
    ['pick', 'no-full-block', (stage) => (last(stage.tests).why.pick = invented)],
    [
      'adjacency',
      'no-full-block',
      (stage) => (last(stage.tests).region = { type: 'around', adjacency: invented }),
    ],
    ['source', 'largest', (stage) => (stage.score.source = invented)],
    ['join', 'largest', (stage) => (stage.score.join = invented)],
    ['fold', 'largest', (stage) => (stage.score.fold = invented)],
    ['fold', 'largest', (stage) => (stage.tiebreak = [{ ...stage.score, fold: invented }])],
    ['tie', 'tie', (_, { program }) => (program.tie_rule = invented)],
    ['format', 'program', (_, { program }) => (program.format = 3)],
  ])('%s of %s', (what, rule, change) => {
    const definition = changed(change);
    if (rule === 'no-full-block') rule = last(definition.program.stages[0].tests).rule;
    if (rule === 'largest') rule = definition.program.stages[0].score.rule;
    let error: unknown;
    try {
      new Game(definition);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(Unsupported);
    const { engine, message, ...refusal } = error as Unsupported;
    expect([engine, refusal.rule]).toEqual(['page', rule]);
    expect(refusal.detail).toBe(`${what} ${what === 'format' ? '3' : 'invented'}`);
    expect(message).toBe(`page does not support the rule ${rule}: ${refusal.detail}`);
  });
});

describe('a rule that the page has never seen', () => {
  const corner: PlacementTest = {
    rule: 'off-the-edge',
    plane: 'piece',
    region: { type: 'fixed', cells: [0, 1, 2, 3] },
    counts: [[0, 0]],
    when: 'always',
    why: {
      code: 'off-the-edge',
      text: 'a {kind} may not cover {first} or {last}',
      cells: 'mask',
      pick: 'ends',
      word: '{kind}',
      mark: 'hits',
    },
  };
  const start = State.start(new Game(changed((stage) => (stage.tests = [corner]))));

  test('decides which moves are legal', () => {
    const legal = start.legal().length;
    expect(legal).toBeGreaterThan(0);
    expect(legal).toBeLessThan(start.game.placements.length);
    expect(start.live.some(({ cells }) => cells.some((cell) => cell < 4))).toBe(false);
  });

  test('explains itself in its own words, and marks its cells', () => {
    const footprint = start.game.layouts[0].footprints.find(
      ({ kind, cells }) => kind === 'I' && cells.includes(3),
    )!;
    const reason = start.footprintIllegalReason(footprint)!;
    expect(reason.marks).toEqual(footprint.cells.filter((cell) => cell < 4));
    expect(reasonText(reason)).toBe('A I may not cover a1 or d1.');
  });
});
