/** The catalogues: complete, with the same placeholders, and nothing that no screen says. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import en from '../src/i18n/en.json';
import { pluralForm } from '../src/i18n/index.svelte';
import { LESSONS } from '../src/learn/lessons';

const root = fileURLToPath(new URL('../src/', import.meta.url));
const catalogue = (language: string) =>
  JSON.parse(readFileSync(`${root}i18n/${language}.json`, 'utf8')) as Record<string, string>;
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|svelte)$/.test(name))
  .map((name) => readFileSync(`${root}${name}`, 'utf8'))
  .join('\n');

const keys = Object.keys(en);
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe.each(['nl', 'pt', 'es'])('%s', (language) => {
  const words = catalogue(language);

  test('has every string and no other', () => {
    expect(Object.keys(words).sort()).toEqual([...keys].sort());
  });

  test('keeps the placeholders', () => {
    const wrong = keys.filter((key) => {
      const wanted = placeholders(en[key as keyof typeof en]);
      return String(placeholders(words[key])) !== String(wanted);
    });
    expect(wrong).toEqual([]);
  });

  test('has one and many wherever English has', () => {
    const forms = (text: string) => text.split(' | ').length;
    expect(keys.filter((key) => forms(words[key]) !== forms(en[key as keyof typeof en]))).toEqual([]);
  });

  test('is translated', () => {
    // Long sentences that are the same in two languages were forgotten.
    const letters = (text: string) => text.replace(/\{\w+\}/g, '').length;
    const same = keys.filter((key) => words[key] === en[key as keyof typeof en] && letters(words[key]) > 18);
    expect(same).toEqual([]);
  });
});

test('plural forms follow the rules of the language', () => {
  const forms = (locale: string, words: string[], numbers: number[]) =>
    numbers.map((n) => pluralForm(words, n, locale));
  expect(forms('en-GB', ['one', 'other'], [0, 1, 2, 1.5])).toEqual(['other', 'one', 'other', 'other']);
  // In Portugal none is plural; in Brazil it is singular.
  expect(forms('pt-PT', ['one', 'other'], [0, 1, 2])).toEqual(['other', 'one', 'other']);
  expect(forms('es-ES', ['one', 'other'], [1, 1_000_000])).toEqual(['one', 'other']);
  expect(forms('pl', ['one', 'few', 'many', 'other'], [1, 3, 5, 1.5])).toEqual([
    'one',
    'few',
    'many',
    'other',
  ]);
  expect(forms('nl-NL', ['always'], [1, 2])).toEqual(['always', 'always']);
});

/** Whole words: `\b` knows only the letters of ASCII and would not find the end of "você". */
const whole = (...words: string[]) => new RegExp(`(?<!\\p{L})(${words.join('|')})(?!\\p{L})`, 'iu');

test('Portuguese is European', () => {
  const brazilian = whole(
    'vocês?|senha|tela|celular|arquivo|usuário|salvar|time|placar|registrar|cadastr\\p{L}*|deletar|mouse|fato',
    'contato|acessar|baixar|clique aqui|ônibus|(está|estão|estou) \\p{L}+ndo',
  );
  const words = catalogue('pt');
  expect('Você').toMatch(brazilian);
  expect(keys.filter((key) => brazilian.test(words[key]))).toEqual([]);
});

test('each language addresses the reader in one way', () => {
  const other = {
    nl: whole('u', 'uw', 'uzelf'),
    pt: whole('tu', 'te', 'ti', 'teus?', 'tuas?', 'contigo', 'estás', 'tens', 'podes', 'vês'),
    es: whole('usted', 'ustedes', 'elija', 'juegue', 'ponga', 'haga', 'pruebe'),
  };
  const wrong = Object.entries(other).flatMap(([language, pattern]) => {
    const words = catalogue(language);
    return keys.filter((key) => pattern.test(words[key])).map((key) => `${language}: ${key}`);
  });
  expect(wrong).toEqual([]);
});

test('every string that a screen asks for is there', () => {
  const asked = [...sources.matchAll(/\bt\(\s*(?:\w+ \? )?'([\w.+-]+)'/g)].map(([, key]) => key);
  expect(asked.length).toBeGreaterThan(200);
  expect(asked.filter((key) => !(key in en))).toEqual([]);
});

test('every string is said somewhere', () => {
  // Keys made at run time, by their fixed beginning.
  const made = [...sources.matchAll(/`([a-z]+\.(?:[a-z]+\.)?)\$\{/g)].map(([, start]) => start);
  const unused = keys.filter(
    (key) => !sources.includes(`'${key}'`) && !made.some((start) => key.startsWith(start)),
  );
  expect(unused).toEqual([]);
});

test('every lesson and every game has its texts', () => {
  const lessons = Object.values(LESSONS)
    .flat()
    .flatMap(({ id }) => [`learn.${id}.title`, `learn.${id}.text`, `learn.${id}.done`]);
  const games = Object.keys(LESSONS).flatMap((name) => [`summary.${name}`, `rules.${name}`]);
  expect([...lessons, ...games].filter((key) => !(key in en))).toEqual([]);
  expect(keys.filter((key) => /^learn\.[a-z]+-/.test(key) && !lessons.includes(key))).toEqual([]);
});
