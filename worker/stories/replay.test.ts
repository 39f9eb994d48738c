import { afterEach, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import type { RunObject } from "#lib/contract/run/run";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { type ReplayRequest, replayRun } from "#lib/domain/runs/create/replay-run";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

const EMAIL = "ada.lovelace@example.org";
const PHONE = "+7 912 345-67-89";
const SECRETS = [EMAIL, PHONE, "lovelace", "345-67"];

afterEach(() => stage.server.calls.splice(0));

/**
 * in > first > check -(true)> second > third > out. `second` sends the input and the answer of `first`, and `third`
 * repeats it.
 */
const DATA = { to: "{{first.body.email}}", tel: "{{first.body.phone}}", cc: "{{action_input.email}}" };

async function publish(workspace: TestWorkspace) {
  const definition = {
    nodes: [
      node("in", "action_input", {
        properties: [
          { name: "email", type: "string", required: true },
          { name: "note", type: "string", required: false },
        ],
      }),
      stage.post("first"),
      node("check", "condition", { match: "all", rules: [{ left: "{{first.body.ok}}", operator: "is_true" }] }),
      stage.post("second", DATA),
      stage.post("never"),
      stage.post("third", { ...DATA, note: "{{action_input.note}}" }),
      node("out", "return_output", { properties: [{ name: "done", type: "string", value: "yes" }] }),
    ],
    edges: edges("in>first>check.true>second", "check.false>never", "second>third>out"),
  };
  stage.server.answer("/first", { ok: true, email: EMAIL, phone: PHONE });
  return addAction(workspace, {
    definition,
    inputSchema: {
      type: "object",
      properties: { email: { type: "string" }, note: { type: "string" } },
      required: ["email"],
    },
  });
}

async function published() {
  const workspace = await addWorkspace();
  return { workspace, action: await publish(workspace) };
}

async function runOnce(at: Awaited<ReturnType<typeof published>>, thirdStatus: number) {
  stage.server.answer("/third", { ok: thirdStatus === 200 }, thirdStatus);
  const { run } = await callAction(at, { input: { email: EMAIL, note: "one" }, correlationId: "order:1" });
  const ended = await end(at.workspace, run.run_id);
  stage.server.answer("/third", { ok: true });
  stage.server.calls.splice(0);
  return ended;
}

const end = ({ workspaceId }: TestWorkspace, runId: string) => stage.ends({ workspaceId, runId, actionSlugs: null });

function requestOf(workspace: TestWorkspace, runId: string, more: Partial<ReplayRequest> = {}): ReplayRequest {
  const actor = { type: "user", id: workspace.userId, name: "Ann" } as const;
  return { ...workspace, runId, actionSlugs: null, actor, ...more };
}

async function replay(workspace: TestWorkspace, runId: string, more: Partial<ReplayRequest> = {}) {
  const made = await replayRun(requestOf(workspace, runId, more));
  return { made, run: await end(workspace, made.run_id) };
}

/** Returns everything that the database stores about the runs, as text. Sealed bytes appear as hex. */
async function dump(...runIds: string[]): Promise<string> {
  const { rows } = await db().query({
    text: `select r::text as row from runs r where id = any($1)
           union all select e::text from unnest($1::uuid[]) given cross join lateral journal_events(given) e
           union all select c::text from run_checkpoints c where run_id = any($1)
           union all select a::text from audit_events a`,
    values: [runIds],
  });
  return rows.map((row) => row.row).join("\n");
}

const paths = () => stage.server.calls.map((call) => call.path);
const bodyOf = (path: string) => JSON.parse(stage.server.of(path).at(-1)?.body ?? "null");
const stepsOf = (run: RunObject) =>
  Object.fromEntries(run.steps.map((step) => [step.step_id, `${step.status}${step.reused ? " reused" : ""}`]));

test("a failed run is resumed: finished steps are not repeated, and the rest gets the real values", async () => {
  const at = await published();
  const original = await runOnce(at, 500);
  expect(original).toMatchObject({ status: "failed", error: { step_id: "third" } });
  const before = await dump(original.run_id);
  const { made, run } = await replay(at.workspace, original.run_id);

  expect(made).toMatchObject({
    source: "replay",
    status: "accepted",
    steps: [],
    started_at: null,
    resume_from_run_id: original.run_id,
    workflow_version_id: original.workflow_version_id,
    action_slug: original.action_slug,
    action_release_version: original.action_release_version,
    correlation_id: "order:1",
  });
  expect(run).toMatchObject({ status: "succeeded", output: { done: "yes" }, input: original.input });
  expect(paths()).toEqual(["/third"]);
  expect(bodyOf("/third")).toEqual({ to: EMAIL, tel: PHONE, cc: EMAIL, note: "one" });
  expect(stage.server.calls[0]?.key).toBe(`${run.run_id}:third:`);
  expect(stepsOf(run)).toEqual({
    in: "completed reused",
    first: "completed reused",
    check: "completed reused",
    second: "completed reused",
    never: "skipped reused",
    third: "completed",
    out: "completed",
  });
  const second = (of: RunObject) => of.steps.find((step) => step.step_id === "second");
  expect(second(run)).toEqual({ ...second(original), reused: true });

  expect(JSON.stringify(run)).toContain("[REDACTED_EMAIL]");
  expect(JSON.stringify(run)).toContain("[REDACTED_PHONE]");
  const stored = await dump(original.run_id, run.run_id);
  for (const secret of SECRETS) {
    expect(JSON.stringify([made, run])).not.toContain(secret);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(Buffer.from(secret).toString("hex"));
  }
  // The original is unchanged. The audit log, which dump reads too, has a new row.
  const after = await dump(original.run_id);
  expect(before.split("\n").every((line) => after.includes(line))).toBe(true);
});

test("a failed replay can be replayed with the first run's values", async () => {
  const at = await published();
  const original = await runOnce(at, 500);
  stage.server.answer("/third", {}, 503);
  const { run: again } = await replay(at.workspace, original.run_id);
  expect(again.status).toBe("failed");
  stage.server.answer("/third", {});
  const { run } = await replay(at.workspace, again.run_id);
  expect(run).toMatchObject({ status: "succeeded", resume_from_run_id: again.run_id, correlation_id: "order:1" });
  expect(paths()).toEqual(["/third", "/third"]);
  expect(bodyOf("/third")).toMatchObject({ to: EMAIL, tel: PHONE, cc: EMAIL });
});

test("a succeeded run is replayed from its trigger with the caller's real input", async () => {
  const at = await published();
  const original = await runOnce(at, 200);
  const { run } = await replay(at.workspace, original.run_id);
  expect(run.status).toBe("succeeded");
  expect(paths()).toEqual(["/first", "/second", "/third"]);
  expect(bodyOf("/second")).toEqual({ to: EMAIL, tel: PHONE, cc: EMAIL });
  expect(run.steps.every((step) => !step.reused)).toBe(true);
});

test("an edited input keeps hidden fields that were not edited, is validated, and needs a replay from the trigger", async () => {
  const at = await published();
  const original = await runOnce(at, 200);
  expect(original.input).toEqual({ email: "[REDACTED_EMAIL]", note: "one" });
  const { run } = await replay(at.workspace, original.run_id, { input: { ...original.input, note: "two" } });
  expect(run.status).toBe("succeeded");
  expect(bodyOf("/third")).toEqual({ to: EMAIL, tel: PHONE, cc: EMAIL, note: "two" });

  const refused = async (more: Partial<ReplayRequest>) => {
    const { code, details } = await errorOf(replayRun(requestOf(at.workspace, original.run_id, more)));
    return [code, (details as { field: string }[] | undefined)?.map((detail) => detail.field)];
  };
  expect(await refused({ input: { note: 1 } })).toEqual(["INPUT_VALIDATION_FAILED", ["email", "note"]]);
  expect(await refused({ input: { email: "me, [REDACTED_EMAIL]" } })).toEqual(["INPUT_VALIDATION_FAILED", ["email"]]);
  expect(await refused({ input: { email: "a" }, mode: "resume" })).toEqual(["BAD_REQUEST", undefined]);
});

test("from a step: that step and the steps after it are repeated, everything else is reused", async () => {
  const at = await published();
  const original = await runOnce(at, 200);
  const { run } = await replay(at.workspace, original.run_id, { stepId: "second" });
  expect(run.status).toBe("succeeded");
  expect(paths()).toEqual(["/second", "/third"]);
  expect(bodyOf("/second")).toEqual({ to: EMAIL, tel: PHONE, cc: EMAIL });
  expect(stepsOf(run)).toMatchObject({ first: "completed reused", never: "skipped reused", second: "completed" });
  const { rows } = await db().query("select resume_from_step_id from runs where id = $1", [run.run_id]);
  expect(rows).toEqual([{ resume_from_step_id: "second" }]);
});

test("two simultaneous replays are two runs, each complete", async () => {
  const at = await published();
  const original = await runOnce(at, 500);
  const both = await Promise.all([replay(at.workspace, original.run_id), replay(at.workspace, original.run_id)]);
  expect(new Set(both.map(({ run }) => run.run_id)).size).toBe(2);
  expect(both.map(({ run }) => run.status)).toEqual(["succeeded", "succeeded"]);
  expect(paths()).toEqual(["/third", "/third"]);
});
