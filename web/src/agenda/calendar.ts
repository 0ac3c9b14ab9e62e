/** Months as weeks of days, and deadlines by day; all in the time zone of the browser. */

export interface Month {
  year: number;
  /** 0 for January. */
  month: number;
}

export interface Day {
  /** Midnight at its beginning. */
  at: number;
  number: number;
  inMonth: boolean;
}

/** Midnight at the beginning of a time's day. */
export function dayOf(at: number): number {
  const day = new Date(at);
  day.setHours(0, 0, 0, 0);
  return day.getTime();
}

export function monthOf(at: number): Month {
  const day = new Date(at);
  return { year: day.getFullYear(), month: day.getMonth() };
}

export function shift({ year, month }: Month, by: number): Month {
  return monthOf(new Date(year, month + by, 1).getTime());
}

/** The weeks of a month, from Monday to Sunday. */
export function weeks({ year, month }: Month): Day[][] {
  const first = new Date(year, month, 1);
  const before = (first.getDay() + 6) % 7;
  const days = new Date(year, month + 1, 0).getDate();
  const rows = Math.ceil((before + days) / 7);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 7 }, (_, column) => {
      const day = new Date(year, month, 1 - before + 7 * row + column);
      return { at: day.getTime(), number: day.getDate(), inMonth: day.getMonth() === month };
    }),
  );
}

/** Items by the day of their time, each day's in order; those without a time are left out. */
export function byDay<T>(items: readonly T[], time: (item: T) => number | null): Map<number, T[]> {
  const days = new Map<number, T[]>();
  for (const item of items) {
    const at = time(item);
    if (at === null) continue;
    const day = dayOf(at);
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return days;
}
