import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { WebOperations } from "#lib/api/operations/web-operations";
import type { ApiError } from "#lib/contract/error/api-error";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Role } from "#lib/contract/workspace/roles";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { addEvents, setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const RULES = { match: "all", rules: [{ left: "1", operator: "equals", right: "1" }] };
/** start -> check -> (yes) call -> end, and from check (no) directly to the end. */
const DEFINITION: Definition = {
  nodes: [
    node("start", "action_input", { properties: [] }),
    node("check", "condition", RULES),
    node("call", "transform", { fields: [] }),
    node("end", "return_output", { properties: [] }),
  ],
  edges: edges("start>check", "check.true>call", "check.false>end", "call>end"),
};

const workspace = await addWorkspace();
const action = await addAction(workspace, { definition: DEFINITION });

async function ask<Name extends keyof WebOperations>(
  name: Name,
  input: WebOperations[Name]["input"],
  { role = "editor", at = workspace }: { role?: Role; at?: TestWorkspace } = {},
): Promise<WebOperations[Name]["output"]> {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const caller: Caller = { kind: "user", role, name: "Ada", ...at };
  return (await invoke(operation, caller, input, requestContext())) as WebOperations[Name]["output"];
}
const codeOf = (promise: Promise<unknown>) => promise.catch((error: ApiError) => error.code);
const makeRun = async (apiKeyId?: string) =>
  (await callAction({ workspace, action }, apiKeyId === undefined ? {} : { apiKeyId })).run.run_id;

async function endedRun(status: "failed" | "succeeded"): Promise<string> {
  const runId = await makeRun();
  await setRun(runId, status);
  return runId;
}

describe("several runs at once", () => {
  test("are cancelled one by one: open runs end, ended runs stay unchanged, unknown ones are reported", async () => {
    const [open, ended] = [await makeRun(), await endedRun("failed")];
    const elsewhere = await addWorkspace();
    const foreign = await callAction({ workspace: elsewhere, action: await addAction(elsewhere) });
    const unknown = foreign.run.run_id;
    const { data } = await ask("cancel_runs", { run_ids: [open, ended, unknown, open] });
    expect(data).toMatchObject([
      { run_id: open, outcome: "cancelled", code: null },
      { run_id: ended, outcome: "unchanged", code: null },
      { run_id: unknown, outcome: "refused", code: "RUN_NOT_FOUND", error: "There is no such run." },
    ]);
    expect(await ask("get_run_status", { run_id: open })).toMatchObject({ status: "cancelled" });
  });

  test("are replayed in the default mode for how each ended; a running one is refused and does not stop the others", async () => {
    const [open, failed, succeeded] = [await makeRun(), await endedRun("failed"), await endedRun("succeeded")];
    const { data } = await ask("replay_runs", { run_ids: [open, failed, succeeded] });
    expect(data.map(({ outcome, code }) => [outcome, code])).toEqual([
      ["refused", "BAD_REQUEST"],
      ["replayed", null],
      ["replayed", null],
    ]);
    const replay = await ask("get_run_status", { run_id: data[1]?.new_run_id ?? "" });
    expect(replay).toMatchObject({ source: "replay", resume_from_run_id: failed });
  });

  test("need an editor and are limited to one hundred", async () => {
    for (const name of ["cancel_runs", "replay_runs"] as const) {
      expect(await codeOf(ask(name, { run_ids: [uuidv7()] }, { role: "approver" }))).toBe("FORBIDDEN");
      expect(await codeOf(ask(name, { run_ids: [] }))).toBe("BAD_REQUEST");
      expect(await codeOf(ask(name, { run_ids: Array.from({ length: 101 }, () => uuidv7()) }))).toBe("BAD_REQUEST");
    }
  });
});

describe("get_run_step", () => {
  test("returns the full payloads that a timeline truncates, and the attempts without payloads", async () => {
    const runId = await endedRun("succeeded");
    const text = "x".repeat(100_000);
    await addEvents(workspace.workspaceId, runId, [
      { kind: "step_started", nodeId: "call", inputData: { text } },
      { kind: "step_started", nodeId: "call", attempt: 2, inputData: { text } },
      { kind: "step_completed", nodeId: "call", attempt: 2, outputData: { text }, durationMs: 5 },
    ]);
    const { steps } = await ask("get_run_status", { run_id: runId });
    expect(steps).toMatchObject([{ truncated: true, attempt: 2 }]);
    const step = await ask("get_run_step", { run_id: runId, step_id: "call" }, { role: "viewer" });
    expect(step).toMatchObject({ input: { text }, output: { text } });
    expect(step.events.map(({ event, attempt }) => [event, attempt])).toEqual([
      ["step_started", 1],
      ["step_started", 2],
      ["step_completed", 2],
    ]);
    expect(JSON.stringify(step.events)).not.toContain("xxx");
  });

  test("distinguishes the iterations of a step, also in a loop inside a loop", async () => {
    const runId = await endedRun("succeeded");
    const iterations = ["0.0", "1.0", "0.1"];
    await addEvents(
      workspace.workspaceId,
      runId,
      iterations.map((iteration) => ({ kind: "step_completed", nodeId: "call", iteration, outputData: iteration })),
    );
    for (const [occurrence, output] of iterations.entries()) {
      expect(await ask("get_run_step", { run_id: runId, step_id: "call", occurrence })).toMatchObject({ output });
    }
    expect(await codeOf(ask("get_run_step", { run_id: runId, step_id: "call", occurrence: 3 }))).toBe("NOT_FOUND");
  });

  test("another workspace's run is unknown", async () => {
    const run_id = await endedRun("succeeded");
    const at = await addWorkspace();
    expect(await codeOf(ask("get_run_step", { run_id, step_id: "call" }, { at }))).toBe("RUN_NOT_FOUND");
    expect(await codeOf(ask("get_run_graph", { run_id }, { at }))).toBe("RUN_NOT_FOUND");
  });
});

describe("get_run_graph", () => {
  test("shows the version that ran, the branches it took and the owner of the key that started it", async () => {
    const key = await addKey(workspace);
    const runId = await makeRun(key.key_id);
    await addEvents(workspace.workspaceId, runId, [
      { kind: "step_completed", nodeId: "start", outputData: {} },
      { kind: "step_completed", nodeId: "check", outputData: { result: true } },
      { kind: "step_failed_continued", nodeId: "call", error: { code: "UNKNOWN", message: "no" } },
    ]);
    const graph = await ask("get_run_graph", { run_id: runId }, { role: "viewer" });
    expect(graph).toMatchObject({
      version: 1,
      started_by: { key_prefix: key.prefix, name: key.name },
      is_deleted: false,
    });
    expect(graph.definition).toEqual(DEFINITION);
    expect(graph.taken_edges.toSorted()).toEqual(["call>end", "check.true>call", "start>check"]);
  });

  test("shows when each attempt of a retried step started and how soon it failed", async () => {
    const runId = await endedRun("succeeded");
    const error = { code: "UPSTREAM_ERROR", message: "503" } as const;
    await addEvents(workspace.workspaceId, runId, [
      { kind: "step_started", nodeId: "start" },
      { kind: "step_started", nodeId: "call" },
      { kind: "step_started", nodeId: "call", attempt: 2, durationMs: 7, error },
      { kind: "step_completed", nodeId: "call", attempt: 2, outputData: {}, durationMs: 9 },
    ]);
    const { attempts } = await ask("get_run_graph", { run_id: runId });
    expect(attempts).toMatchObject([
      { step_id: "call", iteration: "", attempt: 1, failed_after_ms: 7 },
      { step_id: "call", iteration: "", attempt: 2, failed_after_ms: null },
    ]);
    const { steps } = await ask("get_run_status", { run_id: runId });
    expect(steps[1]).toMatchObject({ status: "completed", error: null, duration_ms: 9, attempt: 2 });
  });

  test("marks the path after a skipped step as not taken, and a branch that any iteration took as taken", async () => {
    const runId = await endedRun("succeeded");
    await addEvents(workspace.workspaceId, runId, [
      { kind: "step_completed", nodeId: "check", iteration: "0", outputData: { result: true } },
      { kind: "step_completed", nodeId: "check", iteration: "1", outputData: { result: false } },
      { kind: "step_skipped", nodeId: "call" },
    ]);
    const { taken_edges } = await ask("get_run_graph", { run_id: runId });
    expect(taken_edges.toSorted()).toEqual(["check.false>end", "check.true>call"]);
  });
});
