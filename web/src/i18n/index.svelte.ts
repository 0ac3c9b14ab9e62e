/** Translations; a catalogue is fetched when its language is chosen. */

import type english from './en.json';
import en from './en.json?url';
import es from './es.json?url';
import nl from './nl.json?url';
import pt from './pt.json?url';
import { change, settings } from '../lib/settings.svelte';

export type Key = keyof typeof english;
export type Values = Record<string, string | number>;

export const LANGUAGES = { en: 'English', nl: 'Nederlands', pt: 'Português', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

const ADDRESSES: Record<Language, string> = { en, nl, pt, es };
/** The locales of numbers, dates and plural forms. */
const LOCALES: Record<Language, string> = { en: 'en-GB', nl: 'nl-NL', pt: 'pt-PT', es: 'es-ES' };

const CATEGORIES: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

const words = $state<{ language: Language; catalogue: Record<string, string> }>({
  language: 'en',
  catalogue: {},
});

/** The chosen language, else the first of the browser's languages that is supported. */
function wanted(): Language {
  const candidates = settings.language ? [settings.language] : navigator.languages;
  for (const candidate of candidates) {
    const short = candidate.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short as Language;
  }
  return 'en';
}

async function use(language: Language): Promise<void> {
  const catalogue = await fetched(ADDRESSES[language]);
  words.language = language;
  words.catalogue = catalogue;
  document.documentElement.lang = LOCALES[language];
}

async function fetched(address: string): Promise<Record<string, string>> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`no catalogue at ${address}`);
  return (await answer.json()) as Record<string, string>;
}

export async function start(): Promise<void> {
  // Fall back to English; without any catalogue the app shows the keys.
  await use(wanted())
    .catch(() => use('en'))
    .catch(() => undefined);
}

export async function choose(language: Language): Promise<void> {
  change('language', language);
  await start();
}

export function language(): Language {
  return words.language;
}

/** Translate a key and fill in its `{values}`; `n` chooses between the plural forms, `one | other`. */
export function t(key: Key, values: Values = {}): string {
  return fill(words.catalogue[key] ?? key, values);
}

/** As `t`, for keys built at run time; returns the fallback if the key is missing. */
export function tOr(key: string, fallback: string, values: Values = {}): string {
  const text = words.catalogue[key];
  return text === undefined ? fallback : fill(text, values);
}

/** Fill in the `{values}` of a text. */
export function fill(text: string, values: Values): string {
  return pluralForm(text.split(' | '), Number(values.n)).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
  });
}

/** Plural rules by locale: constructing them is slow. */
const plurals: Record<string, Intl.PluralRules> = {};

/** The form for a number. Two forms are `one` and `other`; more are all forms of the language, in CLDR's order. */
export function pluralForm(forms: readonly string[], n: number, locale = LOCALES[words.language]): string {
  if (forms.length === 1) return forms[0];
  const rules = (plurals[locale] ??= new Intl.PluralRules(locale));
  const known = rules.resolvedOptions().pluralCategories;
  const names = forms.length === 2 ? ['one', 'other'] : CATEGORIES.filter((name) => known.includes(name));
  const at = names.indexOf(rules.select(n));
  return forms[at < 0 ? forms.length - 1 : at];
}

/** Words or numbers as a list: "4, 5 and 6". */
export function list(values: readonly string[]): string {
  return new Intl.ListFormat(LOCALES[words.language], { type: 'conjunction' }).format(values);
}

/** Formats by locale: constructing one is slow. */
const formats: Record<string, Intl.NumberFormat> = {};

export function number(value: number): string {
  const locale = LOCALES[words.language];
  formats[locale] ??= new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return formats[locale].format(value);
}

/** A number with its sign; zero has none. */
export function signed(value: number): string {
  return new Intl.NumberFormat(LOCALES[words.language], {
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
    .format(value)
    .replace('-', '−');
}

export function percent(share: number): string {
  return new Intl.NumberFormat(LOCALES[words.language], { style: 'percent' }).format(share);
}

/** A date or time in the language of the page. */
export function dateText(at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALES[words.language], options).format(at);
}

export function ago(at: number): string {
  const format = new Intl.RelativeTimeFormat(LOCALES[words.language], { numeric: 'auto' });
  const minutes = Math.round((at - Date.now()) / 60_000);
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute');
  if (Math.abs(minutes) < 48 * 60) return format.format(Math.round(minutes / 60), 'hour');
  return format.format(Math.round(minutes / 1440), 'day');
}

/** A day and a time of it, in the zone of this browser: "Sun 22 Nov, 19:30". */
export function dateTime(at: number): string {
  const format = new Intl.DateTimeFormat(LOCALES[words.language], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  return format.format(at);
}
