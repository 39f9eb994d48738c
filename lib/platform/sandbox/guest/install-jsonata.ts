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
const { jsonata } = globals;
Reflect.deleteProperty(globalThis, "jsonata");
globals.window = { atob, btoa };

Object.defineProperty(globalThis, "__evaluate", {
  configurable: true,
  value: (expression: string) => async (input: unknown) => {
    if (!jsonata) throw new Error("jsonata is not loaded");
    await keepDigits(jsonata);
    const value = await jsonata(expression).evaluate(input);
    if (isJsonataFunction(value)) throw new Error("The expression returns a function, not a value");
    return value;
  },
});

/** Makes `$number` refuse a text with more digits than a number has: comparing its result would find equal what is not. */
async function keepDigits(library: Jsonata): Promise<void> {
  const number = (await library("$number").evaluate(null)) as BuiltIn;
  const { implementation } = number;
  number.implementation = function convert(this: unknown, ...args: unknown[]) {
    const [text] = args;
    if (typeof text === "string" && losesDigits(text)) {
      throw new Error(`$number: "${text}" is a number beyond 2^53, which would lose digits. Use it as a text`);
    }
    return implementation.apply(this, args);
  };
}

/** Of a decimal number. With an exponent, 15 digits are what every double keeps. */
function losesDigits(text: string): boolean {
  const [, digits, exponent] = /^-?([0-9.]{1,400})([Ee][-+]?[0-9]+)?$/.exec(text) ?? [];
  if (digits === undefined || !(Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER)) return false;
  return exponent === undefined || digits.replace(/[^0-9]/g, "").length > KEPT_DIGITS;
}
