/** What JSON would write as `{}`, and what to return instead. */
const UNWRITABLE: readonly (readonly [kind: new (...args: never[]) => object, name: string, instead: string])[] = [
  [Map, "a Map", "return Object.fromEntries(map)"],
  [Set, "a Set", "return [...set]"],
  [WeakMap, "a WeakMap", "return an object"],
  [WeakSet, "a WeakSet", "return a list"],
  [Promise, "a promise", "await it"],
  [RegExp, "a regular expression", "return String(pattern)"],
  [Error, "an error", "return its message, or throw it"],
  [WeakRef, "a weak reference", "return its target"],
  [ArrayBuffer, "an ArrayBuffer", "return Array.from(new Uint8Array(buffer))"],
];

// Captured before user code can change them.
const { stringify } = JSON;
const { isView } = ArrayBuffer;
const { isFinite: isReal } = Number;
const { getPrototypeOf, keys } = Object;
const { isArray } = Array;
const PLAIN = Object.prototype;
const LIST = Array.prototype;
const MAX_SAFE = Number.MAX_SAFE_INTEGER;
/** From here on, JSON writes a number with an exponent, as no id is written. */
const EXPONENT_FROM = 1e21;
const PATH_CHARACTERS = 200;

/** A value without a form in JSON; the message names its path. */
export class Unwritable extends Error {}

interface Level {
  object: object;
  key: string;
}

/**
 * Writes a result as JSON. `undefined`, functions and symbols are left out and a date is its ISO text, as JSON has them; a
 * value that JSON would silently replace by null or `{}`, and an integer beyond 2^53, are errors.
 * @returns undefined if the value itself has no form
 * @throws Unwritable, or what a getter or `toJSON` of the value throws
 */
export function writeResult(result: unknown): string | undefined {
  let text: string | undefined;
  try {
    text = stringify(result);
  } catch (error) {
    // A BigInt or a circle, or an error of the value's own code, which the second attempt repeats.
    if (error instanceof TypeError) return writeChecked(result);
    throw error;
  }
  return text !== undefined && CAN_HIDE_A_PROBLEM.test(text) ? writeChecked(result) : text;
}

/**
 * What JSON writes for a value without a form, for the fields of binary data and of JSONata's functions, and for integers beyond 2^53. Looking at
 * every value costs tens of times as much as writing them, so that only a text with one of these is looked at.
 */
const CAN_HIDE_A_PROBLEM = /null|\{\}|\{"0":|\d{16}|"_jsonata_function"/;

function writeChecked(result: unknown): string | undefined {
  const levels: Level[] = [];
  return stringify(result, function replace(this: object, key: string, value: unknown): unknown {
    if (typeof value === "string" || typeof value === "boolean") return value;
    while (levels.length > 0 && levels[levels.length - 1]?.object !== this) levels.pop();
    const problem = value === null ? dateProblem(this, key) : (problemOf(value) ?? itemProblem(this, value));
    if (problem !== null) throw new Unwritable(`${pathOf(levels, key)} ${problem}`);
    if (typeof value !== "object" || value === null) return value;
    if (levels.some(({ object }) => object === value)) {
      throw new Unwritable(`${pathOf(levels, key)} is a circular reference: it contains itself`);
    }
    levels.push({ object: value, key });
    return value;
  });
}

/** `toJSON` of an invalid date is null. */
function dateProblem(holder: object, key: string): string | null {
  const value: unknown = Reflect.get(holder, key);
  return value instanceof Date ? "is an invalid date: check the text that it was made from" : null;
}

function problemOf(value: unknown): string | null {
  if (typeof value === "number") return numberProblem(value);
  if (typeof value === "bigint") return "is a BigInt: return String(value)";
  if (typeof value !== "object" || value === null) return null;
  if (isJsonataFunction(value)) return "is a function: call it";
  const prototype: unknown = getPrototypeOf(value);
  if (prototype === PLAIN || prototype === LIST || prototype === null) return null;
  if (isView(value)) return "is binary data: return Array.from(bytes), or text";
  if (value instanceof Number) return numberProblem(Number(value));
  const found = UNWRITABLE.find(([kind]) => value instanceof kind);
  return found ? `is ${found[1]}: ${found[2]}` : iterableProblem(value);
}

/** Returns true for what JSONata has for its own functions, and for those of an expression. */
export function isJsonataFunction(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("_jsonata_function" in value || "_jsonata_lambda" in value);
}

/** What an iterator or a generator has is in none of its fields. */
function iterableProblem(value: object): string | null {
  if (keys(value).length > 0) return null;
  if (typeof Reflect.get(value, Symbol.iterator) === "function") {
    return "is an iterator or a similar object: return [...values], or Object.fromEntries(values)";
  }
  const isAsync = typeof Reflect.get(value, Symbol.asyncIterator) === "function";
  return isAsync ? "is an async iterator: collect its values in a list" : null;
}

/** A function or a symbol is left out of an object, but JSON writes null for one in a list. */
function itemProblem(holder: object, value: unknown): string | null {
  if (!isArray(holder)) return null;
  if (typeof value === "function") return "is a function: call it";
  return typeof value === "symbol" ? "is a symbol: return its description" : null;
}

function numberProblem(value: number): string | null {
  if (!isReal(value)) return `is ${value}, which JSON has no number for`;
  if (value <= MAX_SAFE && value >= -MAX_SAFE) return null;
  if (value >= EXPONENT_FROM || value <= -EXPONENT_FROM) return null;
  return `is ${value}, an integer beyond 2^53, which has lost digits: return a string`;
}

function pathOf(levels: readonly Level[], key: string): string {
  // The first holder is an object that JSON made for the result, whose key is empty.
  const keys = [...levels.map((level) => level.key), key].slice(1);
  const path = `result${keys.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join("")}`;
  return path.length > PATH_CHARACTERS ? `${path.slice(0, PATH_CHARACTERS)}…` : path;
}
