import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { getRun, type RunReference } from "#lib/domain/runs/read/get-run";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

const codeNode = (source: string, more: Record<string, unknown> = {}) => node("code", "code", { source, ...more });
const around = (source: string, more: Record<string, unknown> = {}) => between([codeNode(source, more)], "in>code>out");
const codeOf = async (run: RunReference) => await stage.step(run, "code");

test("code that returns keeps its console in the step, and a step that writes nothing has none", async () => {
  const run = await stage.startDefinition(around("console.log('rows', 2);\nconsole.warn({ a: 1 });\nreturn 1"));
  await stage.reaches(run, "succeeded");
  const { steps } = await stage.show(run);
  expect(steps.map((step) => step.console)).toEqual([undefined, ["rows 2", '[warn] {"a":1}'], undefined]);
});

test("code that throws keeps its console next to its error", async () => {
  const run = await stage.startDefinition(around("console.log('so far');\nthrow new Error('boom')"));
  await stage.reaches(run, "failed");
  expect(await codeOf(run)).toMatchObject({ error: { reason: "code_threw" }, console: ["so far"] });
});

test("a retried attempt keeps its console in the events, and the step shows the last attempt's console", async () => {
  const source = `console.log("id", crypto.randomUUID().length);
    throw { code: "RATE_LIMITED", message: "later", retryAfterMs: 1 }`;
  const run = await stage.startDefinition(around(source, { maxRetries: 1 }));
  await stage.reaches(run, "failed");
  expect((await codeOf(run))?.console).toEqual(["id 36"]);
  const { workspaceId, runId } = run;
  const reading = { steps: "full", withEvents: true, actionSlugs: null } as const;
  const { events = [] } = (await getRun(workspaceId, runId, reading)).run;
  expect(events.filter((event) => event.step_id === "code").map(({ event, console }) => [event, console])).toEqual([
    ["step_started", undefined],
    ["step_started", ["id 36"]],
    ["step_failed", ["id 36"]],
  ]);
});

test("values that the journal redacts in payloads are redacted in the console too", async () => {
  const source = `console.log(input, "Bearer abc.def-123");
    throw new Error("no")`;
  const input = { mail: "{{action_input.name}}", api_key: "key-with-sixteen-characters" };
  const run = await stage.startDefinition(around(source, { input }), { name: "ada@example.org" });
  await stage.reaches(run, "failed");
  const lines = (await codeOf(run))?.console?.join("\n") ?? "";
  expect(lines).toContain("[REDACTED_EMAIL]");
  expect(lines).toContain("Bearer [REDACTED]");
  expect(lines).not.toMatch(/ada@|sixteen|abc\.def/);
});

test("a loop whose code writes without end succeeds, within the limits of a step and of a run", async () => {
  const source = `for (let n = 0; n < 5000; n += 1) console.log("€".repeat(300));
    return { done: true }`;
  const items = Array.from({ length: 60 }, (_, index) => index);
  const definition = {
    nodes: [
      node("in", "action_input", { properties: [] }),
      node("each", "loop", { items, concurrency: 5 }),
      { ...codeNode(source), parentId: "each" },
      node("out", "return_output", { properties: [{ name: "count", type: "number", value: "{{each.count}}" }] }),
    ],
    edges: edges("in>each>out"),
  };
  const run = await stage.startDefinition(definition);
  expect(await stage.reaches(run, "succeeded")).toMatchObject({ output: { count: 60 } });
  const consoles = (await stage.show(run)).steps.flatMap((step) => (step.console ? [step.console] : []));
  const bytes = consoles.map((lines) => Buffer.byteLength(JSON.stringify(lines)));
  expect(consoles).toHaveLength(60);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(LIMITS.consoleBytes + 100);
  expect(consoles[0]?.at(-1)).toBe("… what followed was not kept");
  expect(consoles.at(-1)).toEqual(["… not kept: the steps of this run wrote too much to their consoles"]);
  const notes = 60 * 100;
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(LIMITS.runConsoleBytes + notes);
});

test("a replay keeps the console of the steps that it reuses", async () => {
  stage.server.answer("/flaky", {}, 400);
  const run = await stage.start([codeNode("console.log('once'); return 1"), stage.call("flaky")], "in>code>flaky>out");
  await stage.reaches(run, "failed");
  stage.server.answer("/flaky", {});
  const replayed = await stage.replay(run, { mode: "resume" });
  await stage.reaches(replayed, "succeeded");
  expect(await codeOf(replayed)).toMatchObject({ reused: true, console: ["once"] });
});
