import { isJsonataFunction } from "#lib/platform/sandbox/guest/write-result";

type Jsonata = (expression: string) => { evaluate(input: unknown): Promise<unknown> };

interface JsonataGlobals {
  jsonata?: Jsonata;
  window?: object;
}

/**
 * Wraps the library, already evaluated as a plain script, as `__evaluate(expression)`, the function for `startMain`.
 * The library looks for its base64 functions on `window`.
 */
const globals = globalThis as JsonataGlobals;
const { jsonata } = globals;
Reflect.deleteProperty(globalThis, "jsonata");
globals.window = { atob, btoa };

Object.defineProperty(globalThis, "__evaluate", {
  configurable: true,
  value: (expression: string) => async (input: unknown) => {
    if (!jsonata) throw new Error("jsonata is not loaded");
    const value = await jsonata(expression).evaluate(input);
    if (isJsonataFunction(value)) throw new Error("The expression returns a function, not a value");
    return value;
  },
});
