import { afterEach, describe, expect, test } from "vitest";
import type { ReceivedCallback } from "#lib/core/input/read-callback";
import { runRequestJob } from "#lib/platform/compute/run-request-job";

const NODE = process.execPath;
afterEach(() => {
  process.execPath = NODE;
});

const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const callbackOf = (text: string): ReceivedCallback => ({ body: Buffer.from(text), schema });
const read = (text: string) =>
  runRequestJob({ kind: "read_callback", callback: callbackOf(text) }, { workspaceId: "w", bytes: text.length });

describe("a request whose data is checked in a child process", () => {
  // The pool has no child yet, so this is the first test.
  test("waits for a process that cannot start at first, and a wrong body is found to be wrong", async () => {
    process.execPath = "/nowhere/node";
    const wrong = read('{"n":"many"}').catch((error: unknown) => error);
    const right = read('{"n":1}');
    setTimeout(() => {
      process.execPath = NODE;
    }, 300);
    expect(await wrong).toMatchObject({ problems: [{ field: "n", code: "type" }] });
    expect(await right).toEqual({ body: { n: 1 }, problems: [] });
  });
});
