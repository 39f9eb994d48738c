import { isJsonataFunction } from "#lib/platform/sandbox/guest/write-result";

type Jsonata = (expression: string) => { evaluate(input: unknown): Promise<unknown> };

/** A function of the library, which all expressions share. */
interface BuiltIn {
  implementation: (...args: unknown[]) => unknown;
}

interface JsonataGlobals {
  jsonata?: Jsonata;
  window?: object;
}

/**
 * Wraps the library, already evaluated as a plain script, as `__evaluate(expression)`, the function for `startMain`.
 * The library looks for its base64 functions on `window`.
 */
const globals = globalThis as JsonataGlobals;
const KEPT_DIGITS = 15;
/** What names the functions that convert a text, or can make their names. */
const CAN_CONVERT = /\$(?:number|toMillis|eval)\b/;
const { jsonata } = globals;
Reflect.deleteProperty(globalThis, "jsonata");
globals.window = { atob, btoa };

Object.defineProperty(globalThis, "__evaluate", {
  configurable: true,
  value: (expression: string) => async (input: unknown) => {
    if (!jsonata) throw new Error("jsonata is not loaded");
    if (CAN_CONVERT.test(expression)) await refuseChanges(jsonata);
    const value = await jsonata(expression).evaluate(input);
    if (isJsonataFunction(value)) throw new Error("The expression returns a function, not a value");
    return value;
  },
});

/** Makes `$number` and `$toMillis` refuse a text that they would read as another number or another day. */
async function refuseChanges(library: Jsonata): Promise<void> {
  await guard(library, "number", (text) =>
    losesDigits(text) ? "a number beyond 2^53, which would lose digits. Use it as a text" : null,
  );
  await guard(library, "toMillis", (text) => (isNoDay(text) ? "no date: there is no such day" : null));
}

/** @param problemOf what is wrong with the first argument, as the end of a sentence */
async function guard(library: Jsonata, name: string, problemOf: (text: string) => string | null): Promise<void> {
  const called = (await library(`$${name}`).evaluate(null)) as BuiltIn;
  const { implementation } = called;
  called.implementation = function convert(this: unknown, ...args: unknown[]) {
    const [text] = args;
    const problem = typeof text === "string" ? problemOf(text) : null;
    if (problem !== null) throw new Error(`$${name}: "${String(text)}" is ${problem}`);
    return implementation.apply(this, args);
  };
}

/** A Date continues in March after February 30. */
function isNoDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(text) ?? [];
  return (
    year !== undefined && new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)
  );
}

/** Of a decimal number. With an exponent, 15 digits are what every double keeps. */
function losesDigits(text: string): boolean {
  const [, digits, exponent] = /^-?([0-9.]{1,400})([Ee][-+]?[0-9]+)?$/.exec(text) ?? [];
  if (digits === undefined || !(Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER)) return false;
  return exponent === undefined || digits.replace(/[^0-9]/g, "").length > KEPT_DIGITS;
}
