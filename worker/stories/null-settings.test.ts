import { expect, test } from "vitest";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const stage = useRunStage();

const WORK = { name: null, maxRetries: null, retryBackoff: null, retryWaitSeconds: null, continueOnFailure: null };

test("a run of steps with null for every optional setting and param succeeds, and sends no null", async () => {
  const http = node("call", "connector", {
    ...WORK,
    connector: "http",
    operation: "request",
    connection_id: null,
    params: {
      method: null,
      url: `${stage.server.url}/call`,
      timeout_ms: null,
      query: { a: "1", b: null },
      headers: { "x-kept": "yes", "x-null": null },
      body: null,
    },
  });
  const bare = node("bare", "connector", {
    ...WORK,
    connector: "http",
    operation: "request",
    connection_id: null,
    params: { url: `${stage.server.url}/bare`, headers: null, query: null, body: null, timeout_ms: null },
  });
  const code = node("code", "code", { ...WORK, source: "return { two: 2 }", input: null });
  const loop = node("loop", "loop", { ...WORK, items: "{{in.list}}", concurrency: null, result: null });
  const inside = {
    ...node("inside", "transform", { name: null, fields: [{ name: "item", value: "{{loop.item}}" }], jsonata: null }),
    parentId: "loop",
  };
  const entry = node("in", "action_input", {
    name: null,
    properties: [{ name: "list", type: "array", required: null }],
  });
  const out = node("out", "return_output", {
    name: null,
    properties: [{ name: "two", type: "integer", value: "{{code.two}}", required: null }],
  });
  const steps = [entry, http, bare, code, loop, inside, out];
  const definition = between(steps, "in>call>bare>code>loop>out");
  const run = await stage.startDefinition(definition, { name: "Ada", list: [1, 2] });
  const row = await stage.reaches(run, "succeeded");
  expect(row.output).toEqual({ two: 2 });
  const [called] = stage.server.of("/call?a=1");
  expect(called?.headers).toMatchObject({ "x-kept": "yes" });
  expect(called?.headers).not.toHaveProperty("x-null");
});
