/** The time, once per second, for those who show what is left of a clock. */

import { createSubscriber } from 'svelte/reactivity';

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 1000);
  return () => clearInterval(timer);
});

/** The current time in milliseconds; whoever reads it is updated every second. */
export function ticking(): number {
  subscribe();
  return Date.now();
}
