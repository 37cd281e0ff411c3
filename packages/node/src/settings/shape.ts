/** Shapes of settings: how a value is checked, how layers of it merge, and which parts of it have an origin of their own. */
import type { Json } from '@sidenote/engine';
import { nearest } from './nearest.js';

export type Path = readonly (string | number)[];
export type Problem =
  | { readonly type: 'wrong-type'; readonly path: Path; readonly expected: string }
  | { readonly type: 'unknown-key'; readonly path: Path; readonly nearest: string | undefined };
export type Report = (problem: Problem) => void;

export interface Shape<T> {
  /** For a person: `a string`. */
  readonly expected: string;
  /** What is right of `value`; undefined when nothing is. What is wrong is reported, and left out. */
  check(value: unknown, path: Path, report: Report): T | undefined;
  merge(high: T, low: T): T;
  /** The parts that are decided one by one. Lists that merge give their items, with their index in this list. */
  parts(value: T, path: Path): readonly Part[];
}
export type Part = { readonly path: Path; readonly value: unknown; readonly item: boolean };

/** A value that a higher layer replaces as a whole. */
function whole<T>(expected: string, accept: (value: unknown) => T | undefined): Shape<T> {
  return {
    expected,
    check(value, path, report) {
      const accepted = accept(value);
      if (accepted === undefined) report({ type: 'wrong-type', path, expected });
      return accepted;
    },
    merge: (high) => high,
    parts: (value, path) => [{ path, value, item: false }],
  };
}

export const text = whole('a string', (value) => (typeof value === 'string' ? value : undefined));
/** A few words on one line: what stands in a system prompt must not bring sentences of its own. */
export const words = whole('a few words on one line', (value) =>
  typeof value === 'string' && /^[\p{L}\p{M}\p{N} ,.'’()/_-]{1,60}$/u.test(value.trim()) ? value.trim() : undefined,
);
export const flag = whole('true or false', (value) => (typeof value === 'boolean' ? value : undefined));
/** `true`, `false`, `on` or `off`. */
export const onOff = whole('on or off', (value) =>
  value === 'on' ? true : value === 'off' ? false : typeof value === 'boolean' ? value : undefined,
);
/** JSON that is checked where it is used. */
export const json: Shape<Json> = whole<Json>('a value', (value) => (isJson(value) ? value : undefined));

export function amount({ min = 0, max = Infinity }: { readonly min?: number; readonly max?: number } = {}): Shape<number> {
  const expected = max === Infinity ? `a number from ${min}` : `a number from ${min} to ${max}`;
  return whole(expected, (value) => (typeof value === 'number' && value >= min && value <= max ? value : undefined));
}

export function choice<const T extends string>(...names: readonly T[]): Shape<T> {
  return whole(`one of ${names.join(', ')}`, (value) => names.find((name) => name === value));
}

/** The first shape that takes the value as it is. */
export function either<A, B>(a: Shape<A>, b: Shape<B>): Shape<A | B> {
  const taken = <T>(shape: Shape<T>, value: unknown): T | undefined => {
    let right = true;
    const checked = shape.check(value, [], () => (right = false));
    return right ? checked : undefined;
  };
  return whole(`${a.expected}, or ${b.expected}`, (value) => taken(a, value) ?? taken(b, value));
}

/** `merge: true`: all layers together, the higher ones first; else the highest layer's list replaces the others. Wrong items are left out. */
export function list<T>(of: Shape<T>, { merge }: { readonly merge: boolean }): Shape<readonly T[]> {
  return {
    expected: 'a list',
    check(value, path, report) {
      if (!Array.isArray(value)) return void report({ type: 'wrong-type', path, expected: 'a list' });
      return value.flatMap((item: unknown, index) => of.check(item, [...path, index], report) ?? []);
    },
    merge: (high, low) => (merge ? [...high, ...low] : high),
    parts: (value, path) =>
      merge ? value.map((item, index) => ({ path: [...path, index], value: item, item: true })) : [{ path, value, item: false }],
  };
}

/** Any keys, values of one shape. */
export function record<T>(of: Shape<T>): Shape<Readonly<Record<string, T>>> {
  const shape: Shape<Readonly<Record<string, T>>> = {
    expected: 'an object',
    check(value, path, report) {
      if (!isObject(value)) return void report({ type: 'wrong-type', path, expected: shape.expected });
      const right = Object.entries(value).flatMap(([key, item]) => {
        const checked = of.check(item, [...path, key], report);
        return checked === undefined ? [] : [[key, checked] as const];
      });
      return Object.fromEntries(right);
    },
    merge: (high, low) =>
      Object.fromEntries(
        [...new Set([...Object.keys(low), ...Object.keys(high)])].flatMap((key) => {
          const merged = mergeMaybe(of, own(high, key), own(low, key));
          return merged === undefined ? [] : [[key, merged] as const];
        }),
      ),
    parts: (value, path) => Object.entries(value).flatMap(([key, item]) => of.parts(item, [...path, key])),
  };
  return shape;
}

/** Known keys, each with its own shape, all optional. */
export function object<T extends object>(shapes: { readonly [K in keyof T]-?: Shape<Exclude<T[K], undefined>> }): Shape<Partial<T>> {
  const known = Object.keys(shapes);
  const isKnown = (key: string): key is Extract<keyof T, string> => Object.hasOwn(shapes, key);
  const shape: Shape<Partial<T>> = {
    expected: 'an object',
    check(value, path, report) {
      if (!isObject(value)) return void report({ type: 'wrong-type', path, expected: shape.expected });
      const right: Partial<T> = {};
      for (const [key, item] of Object.entries(value)) {
        if (!isKnown(key)) {
          report({ type: 'unknown-key', path: [...path, key], nearest: nearest(key, known) });
          continue;
        }
        const checked = shapes[key].check(item, [...path, key], report);
        if (checked !== undefined) right[key] = checked;
      }
      return right;
    },
    merge(high, low) {
      const merged: Partial<T> = {};
      for (const key of known.filter(isKnown)) {
        const value = mergeMaybe(shapes[key], given(high, key), given(low, key));
        if (value !== undefined) merged[key] = value;
      }
      return merged;
    },
    parts: (value, path) =>
      known.filter(isKnown).flatMap((key) => {
        const item = given(value, key);
        return item === undefined ? [] : shapes[key].parts(item, [...path, key]);
      }),
  };
  return shape;
}

function given<T extends object, K extends keyof T>(value: Partial<T>, key: K): Exclude<T[K], undefined> | undefined {
  const item: T[K] | undefined = value[key];
  return item as Exclude<T[K], undefined> | undefined;
}

/** Keys come from files, so `constructor` is one like any other. */
function own<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function mergeMaybe<T>(shape: Shape<T>, high: T | undefined, low: T | undefined): T | undefined {
  if (high === undefined || low === undefined) return high ?? low;
  return shape.merge(high, low);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isJson(value: unknown): value is Json {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isJson);
  return isObject(value) && Object.values(value).every(isJson);
}
