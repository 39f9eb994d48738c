type Jsonata = (expression: string) => { evaluate(input: unknown): Promise<unknown> };

interface JsonataGlobals {
  jsonata?: Jsonata;
  window?: object;
}

/**
 * Wraps the library, evaluated before as a plain script, as `__main(expression)`: the function that `startMain` calls.
 * It looks for its base64 functions on `window`.
 */
const globals = globalThis as JsonataGlobals;
const { jsonata } = globals;
Reflect.deleteProperty(globalThis, "jsonata");
globals.window = { atob, btoa };

Object.defineProperty(globalThis, "__evaluate", {
  configurable: true,
  value: (expression: string) => async (input: unknown) => {
    if (!jsonata) throw new Error("jsonata is not loaded");
    return jsonata(expression).evaluate(input);
  },
});

export {};
