/** The usual settings, each one tap away. */

import { clockText } from '../lib/titles';
import type { ClockRule, Summary } from '../net/types';

export interface Preset {
  game: string;
  clock: ClockRule;
}

const fischer = (minutes: number, increment_s: number): ClockRule => ({
  clock_type: 'fischer',
  main_s: 60 * minutes,
  increment_s,
});

export const PRESETS: readonly Preset[] = [
  { game: 'taiji:size=7', clock: fischer(3, 2) },
  { game: 'taiji', clock: fischer(5, 5) },
  { game: 'taiji:size=11', clock: fischer(10, 5) },
  { game: 'tailits', clock: fischer(10, 5) },
  { game: 'battle-of-lits', clock: fischer(10, 5) },
  { game: 'taiji', clock: { clock_type: 'correspondence', days: 3 } },
];

/** A clock in a few characters, such as `5+5`. */
export function shortClock(clock: ClockRule): string {
  return clock.clock_type === 'fischer' ? `${clock.main_s / 60}+${clock.increment_s}` : clockText(clock);
}

/** Whether an open challenge has the settings of a preset, as the server compares them. */
export function fits(challenge: Summary, { game, clock }: Preset, rated: boolean): boolean {
  return (
    challenge.game === game &&
    challenge.rated === rated &&
    challenge.match === null &&
    challenge.clock_rule !== null &&
    sameClock(challenge.clock_rule, clock)
  );
}

function sameClock(one: ClockRule, other: ClockRule): boolean {
  const values = other as unknown as Record<string, unknown>;
  return Object.entries(one).every(([name, value]) => values[name] === value);
}
