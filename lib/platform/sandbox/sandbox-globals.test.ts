import { expect, test } from "vitest";
import {
  SANDBOX_GLOBALS,
  SANDBOX_SIGNATURES,
  UNOFFERED_GLOBALS,
  VALUE_MEMBERS,
} from "#lib/core/steps/code/sandbox-globals";
import { runUserCode } from "#lib/platform/sandbox/run-user-code";

const { signal } = new AbortController();
const LIST = `
  const names = (value) => Object.getOwnPropertyNames(value);
  const isPlace = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  const members = (name) => name === "globalThis" || !isPlace(globalThis[name]) ? [] : names(globalThis[name]);
  return {
    globals: Object.fromEntries(names(globalThis).map((name) => [name, members(name)])),
    values: { string: names(String.prototype), number: names(Number.prototype), array: names(Array.prototype) },
  };`;

async function askSandbox() {
  const { value } = await runUserCode({ workspaceId: "w", source: LIST, input: {}, timeoutMs: 30_000, signal });
  return value as { globals: Record<string, string[]>; values: Record<keyof typeof VALUE_MEMBERS, string[]> };
}

/** Parts of every function, and two functions with which the sandbox builds its own values. */
const HIDDEN = new Set(["length", "name", "prototype", "ofUrl", "renew"]);

test("the editor offers every global of the sandbox with all of its members, and no other", async () => {
  const { globals } = await askSandbox();
  const offered = Object.entries(SANDBOX_GLOBALS).map(([name, members]) => [name, [...members].sort()]);
  const existing = Object.entries(globals)
    .filter(([name]) => !UNOFFERED_GLOBALS.includes(name))
    .map(([name, members]) => [name, members.filter((member) => !HIDDEN.has(member)).sort()]);
  expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(existing));
});

test("the globals that the editor keeps back exist", async () => {
  expect(Object.keys((await askSandbox()).globals)).toEqual(expect.arrayContaining([...UNOFFERED_GLOBALS]));
});

test("every member that the editor offers for a text, a number or a list exists", async () => {
  const { values } = await askSandbox();
  for (const kind of ["string", "number", "array"] as const) {
    expect(values[kind]).toEqual(expect.arrayContaining([...VALUE_MEMBERS[kind]]));
  }
});

test("every function with a signature is offered", () => {
  const known = Object.entries(SANDBOX_GLOBALS).flatMap(([name, members]) => [
    name,
    ...members.map((m) => `${name}.${m}`),
  ]);
  expect(known).toEqual(expect.arrayContaining(Object.keys(SANDBOX_SIGNATURES)));
});
