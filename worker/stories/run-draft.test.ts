import { afterEach, beforeEach, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import type { RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { type DraftRun, runDraft } from "#lib/domain/runs/create/run-draft";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { editorIn } from "#lib/domain/triggers/trigger.fixture";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();

let workspace: TestWorkspace;
let workflowId: string;
beforeEach(async () => {
  workspace = await addWorkspace();
  const made = await createWorkflow(editor(), { name: "Draft", description: null, definition: draft() });
  workflowId = made.workflow_id;
});
afterEach(() => stage.server.calls.splice(0));

const editor = () => editorIn(workspace);

/** in > look > check -(true)> send > out, -(false)> other > out */
function draft(): Definition {
  return {
    nodes: [
      node("in", "action_input", { properties: [{ name: "n", type: "integer", required: true }] }),
      stage.post("look"),
      node("check", "condition", { match: "all", rules: [{ left: "{{look.body.ok}}", operator: "is_true" }] }),
      stage.post("send", { to: "{{look.body.email}}", n: "{{in.n}}" }),
      stage.post("other"),
      node("out", "return_output", { properties: [{ name: "sent", type: "object", value: "{{send.body}}" }] }),
    ],
    edges: edges("in>look>check.true>send", "check.false>other", "send>out", "other>out"),
  };
}

async function save(definition: Definition): Promise<void> {
  await updateWorkflow(workspace.workspaceId, workflowId, { definition });
}

async function run(more: Partial<DraftRun> = {}): Promise<RunObject> {
  const made = await runDraft({ ...workspace, workflowId, input: { n: 1 }, pinned: {}, ...more });
  expect(made).toMatchObject({ source: "test", status: "accepted", workflow_version_id: null, action_slug: null });
  return end(made.run_id);
}

const end = (runId: string) => stage.ends({ workspaceId: workspace.workspaceId, runId, actionSlugs: null });

const paths = () => stage.server.calls.map((call) => call.path);
const statusOf = (found: RunObject) => Object.fromEntries(found.steps.map((step) => [step.step_id, step.status]));
const PINNED_LOOK = { body: { ok: true, email: "ada@example.org" } };

test("the saved draft runs without ever being published, unchanged by edits made after the start", async () => {
  stage.server.answer("/look", { ok: false });
  stage.server.hold("/other");
  const made = await runDraft({ ...workspace, workflowId, input: { n: 1 }, pinned: {} });
  await until("the last call", () => stage.server.of("/other").length === 1);
  await save({ nodes: [], edges: [] });
  stage.server.release("/other");
  const found = await end(made.run_id);
  expect(found).toMatchObject({ status: "succeeded", output: { sent: null } });
  expect(statusOf(found)).toMatchObject({ other: "completed", send: "skipped" });
  expect(found.steps.find((step) => step.step_id === "look")).toMatchObject({ type: "connector", connector: "http" });
});

test("a pinned step is not called, its output reaches later steps unredacted, and the output is stored redacted", async () => {
  const found = await run({ pinned: { look: PINNED_LOOK } });
  expect(found.status).toBe("succeeded");
  expect(paths()).toEqual(["/send"]);
  expect(JSON.parse(stage.server.of("/send")[0]?.body ?? "")).toEqual({ to: "ada@example.org", n: 1 });
  expect(found.steps.find((step) => step.step_id === "look")).toMatchObject({
    status: "completed",
    output: { body: { ok: true, email: "[REDACTED_EMAIL]" } },
  });
  const { rows } = await db().query(
    `select r::text from runs r where id = $1 union all select e::text from journal_events($1) e
     union all select c::text from run_checkpoints c where run_id = $1`,
    [found.run_id],
  );
  expect(JSON.stringify(rows)).not.toContain("ada@");
});

test("a pinned step on a branch that is not taken is skipped, and a pinned condition chooses a branch by its output", async () => {
  const pins = { look: PINNED_LOOK, check: { result: false }, send: { body: "never" }, other: { body: "pinned" } };
  const found = await run({ pinned: pins });
  expect(paths()).toEqual([]);
  expect(statusOf(found)).toMatchObject({ check: "completed", send: "skipped", other: "completed", out: "completed" });
});

test("a test up to a step runs no parallel or later steps, and only that step if all earlier steps are pinned", async () => {
  stage.server.answer("/look", { ok: true, email: "b@example.org" });
  const part = await run({ untilStep: "send" });
  expect(part).toMatchObject({ status: "succeeded", output: null });
  expect(Object.keys(statusOf(part))).toEqual(["in", "look", "check", "send"]);
  expect(paths()).toEqual(["/look", "/send"]);
  stage.server.calls.splice(0);
  const alone = await run({ untilStep: "send", pinned: { look: PINNED_LOOK, check: { result: true } } });
  expect(alone.status).toBe("succeeded");
  expect(paths()).toEqual(["/send"]);
});

test("a test run is replayed with its definition and its pins", async () => {
  stage.server.answer("/send", {}, 500);
  const failed = await run({ pinned: { look: PINNED_LOOK } });
  expect(failed.status).toBe("failed");
  await save({ nodes: [], edges: [] });
  stage.server.answer("/send", {});
  const request = { ...workspace, ...editor(), actionSlugs: null, runId: failed.run_id };
  const found = await end((await replayRun({ ...request, mode: "from_start" })).run_id);
  expect(found).toMatchObject({ status: "succeeded", source: "replay", workflow_version_id: null });
  expect(paths()).toEqual(["/send", "/send"]);
  expect(JSON.parse(stage.server.of("/send")[1]?.body ?? "")).toEqual({ to: "ada@example.org", n: 1 });
  expect(await errorOf(replayRun({ ...request, input: { n: "no number" } }))).toMatchObject({
    code: "INPUT_VALIDATION_FAILED",
  });
});

test("redacted outputs and input copied from a run are replaced with the real values", async () => {
  stage.server.answer("/look", { ok: true, email: "b@example.org", more: "+7 912 345-67-89" });
  const first = await run({ untilStep: "look" });
  const shown = first.steps.find((step) => step.step_id === "look")?.output as { body: JsonObject };
  expect(shown.body).toMatchObject({ email: "[REDACTED_EMAIL]", more: "[REDACTED_PHONE]" });
  stage.server.calls.splice(0);
  const taken = { fromRunId: first.run_id, input: first.input };
  await run({ ...taken, pinned: { look: { ...shown, body: { ...shown.body, more: "edited" } } } });
  expect(paths()).toEqual(["/send"]);
  expect(JSON.parse(stage.server.of("/send")[0]?.body ?? "")).toEqual({ to: "b@example.org", n: 1 });

  // One test has pins from several runs. Each pin has the real value from its own run.
  const other = await run({ untilStep: "look", input: { n: 2 } });
  stage.server.calls.splice(0);
  await run({ pinned: { look: shown }, pinnedFrom: { look: first.run_id }, fromRunId: other.run_id });
  expect(JSON.parse(stage.server.of("/send")[0]?.body ?? "")).toMatchObject({ to: "b@example.org" });

  const edited = { look: { body: { email: "x [REDACTED_EMAIL]" } } };
  const request = { ...workspace, workflowId, ...taken, pinned: edited };
  expect(await errorOf(runDraft(request))).toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringMatching(/^pinned\.look\.body\.email: /),
  });
  const stranger = await addWorkspace();
  expect(await errorOf(runDraft({ ...request, workspaceId: stranger.workspaceId }))).toMatchObject({
    code: "NOT_FOUND",
  });
  const unknown = { ...request, fromRunId: "01900000-0000-7000-8000-000000000000" };
  expect(await errorOf(runDraft(unknown))).toMatchObject({ code: "RUN_NOT_FOUND" });
});

test.each([
  ["an input that does not match the schema", { input: { n: "x" } }, "INPUT_VALIDATION_FAILED"],
  ["a draft that was changed meanwhile", { expectedRevision: 7 }, "REVISION_CONFLICT"],
  ["a pin on an unknown node", { pinned: { nowhere: 1 } }, "BAD_REQUEST"],
  ["an unknown step", { untilStep: "nowhere" }, "BAD_REQUEST"],
  ["another workspace's workflow", { workspaceId: "01900000-0000-7000-8000-000000000000" }, "NOT_FOUND"],
] as [string, Partial<DraftRun>, string][])("%s is refused, and no run is created", async (_, more, code) => {
  const request = { ...workspace, workflowId, input: { n: 1 }, pinned: {}, ...more };
  expect(await errorOf(runDraft(request))).toMatchObject({ code });
  const { rows } = await db().query("select 1 from runs where workflow_id = $1", [workflowId]);
  expect(rows).toEqual([]);
});

test("a draft that could not be published is refused with its problems, but a complete part of it can run", async () => {
  const { nodes, edges: all } = draft();
  const definition = {
    nodes: nodes.filter(({ id }) => id !== "out"),
    edges: all.filter((edge) => edge.target !== "out"),
  };
  await save(definition);
  const request = { ...workspace, workflowId, input: { n: 1 }, pinned: {} };
  expect(await errorOf(runDraft(request))).toMatchObject({
    code: "PUBLISH_VALIDATION_FAILED",
    details: [{ code: "RETURN_OUTPUT_COUNT" }],
  });
  const part = await runDraft({ ...request, untilStep: "look" });
  expect(part).toMatchObject({ status: "accepted" });
  await end(part.run_id);
});

test("test runs count toward the user's limit of 100 an hour", async () => {
  await db().query(
    `insert into runs (id, workspace_id, workflow_id, definition, source, status, completed_at, input, correlation_id, user_id)
     select gen_random_uuid(), $1, $2, '{}', 'test', 'failed', now(), '{}', 'x', $3 from generate_series(1, 100)`,
    [workspace.workspaceId, workflowId, workspace.userId],
  );
  const request = { ...workspace, workflowId, input: { n: 1 }, pinned: {} };
  expect(await errorOf(runDraft(request))).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
});

test("a webhook's draft runs with the body that the test sends, and not without one", async () => {
  await save({
    nodes: [
      node("start", "trigger", { kind: "webhook" }),
      stage.post("send", { order: "{{trigger.output.body.order}}" }),
    ],
    edges: edges("start>send"),
  });
  for (const input of [{ body: { order: 7 } }, { output: { body: { order: 7 } } }]) {
    expect(await run({ input })).toMatchObject({ status: "succeeded" });
  }
  expect(stage.server.calls.map(({ body }) => body)).toEqual(['{"order":7}', '{"order":7}']);
  for (const input of [{}, { order: 7 }, { output: {} }]) {
    const refused = runDraft({ ...workspace, workflowId, input, pinned: {} });
    await expect(refused).rejects.toMatchObject({ code: "BAD_REQUEST", message: expect.stringContaining('{"body"') });
  }
  expect(stage.server.calls).toHaveLength(2);
});
