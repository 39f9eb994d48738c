import { describe, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction, countRows, jobsOf } from "#lib/domain/runs/create/call-action.fixture";
import { useEndedRuns } from "#lib/domain/runs/create/ended-runs.fixture";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { getRun } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const { stage, requestOf, endedRun, journal, reusedIn } = useEndedRuns();

describe("runs that can be replayed (contract, Run)", () => {
  test.each(["succeeded", "failed", "cancelled", "timed_out"] as const)(
    "a %s run can: it becomes a new run with a job",
    async (status) => {
      const runId = await endedRun(status);
      const run = await replayRun(requestOf(runId));
      expect(run).toMatchObject({ status: "accepted", source: "replay", resume_from_run_id: runId, approval: null });
      expect(await jobsOf(run.run_id)).toHaveLength(1);
    },
  );

  test.each(["accepted", "running", "waiting_for_approval"] as const)("a run that is %s cannot", async (status) => {
    const { run } = await callAction(stage);
    if (status !== "accepted") await setRun(run.run_id, status);
    expect(await errorOf(replayRun(requestOf(run.run_id)))).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining(status),
    });
    expect(await countRows(stage, "runs")).toBe(1);
  });

  test("a run of another workspace, or of an action the key may not see, answers like a missing run", async () => {
    const runId = await endedRun();
    const stranger = await addWorkspace();
    const foreign = { workspaceId: stranger.workspaceId, userId: stranger.userId };
    const unknown = "01900000-0000-7000-8000-000000000000";
    for (const request of [
      requestOf(runId, foreign),
      requestOf(unknown),
      requestOf("none"),
      requestOf(runId, { actionSlugs: ["other"] }),
    ]) {
      expect(await errorOf(replayRun(request))).toMatchObject({
        code: "RUN_NOT_FOUND",
        message: "There is no such run.",
      });
    }
  });

  test("a dry run did nothing, so its replay does everything", async () => {
    const { run } = await callAction(stage, { dryRun: true });
    expect(await replayRun(requestOf(run.run_id))).toMatchObject({ status: "accepted", dry_run: false });
  });

  test("a run of a deleted workflow cannot", async () => {
    const runId = await endedRun();
    await db().query("update workflows set deleted_at = now() where id = $1", [stage.action.workflowId]);
    expect(await errorOf(replayRun(requestOf(runId)))).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("a run of a paused action can be replayed by people but not by a key", async () => {
    const runId = await endedRun();
    await db().query("update actions set status = 'paused' where id = $1", [stage.action.actionId]);
    const asKey = requestOf(runId, { apiKeyId: "01900000-0000-7000-8000-000000000000" });
    expect(await errorOf(replayRun(asKey))).toMatchObject({ code: "ACTION_UNAVAILABLE" });
    expect(await replayRun(requestOf(runId))).toMatchObject({ status: "accepted" });
  });
});

describe("rules that apply to a replay", () => {
  test("the replay of an action with an approval policy waits: a rejection cannot be replayed away", async () => {
    await db().query("update actions set approval_policy = 'always' where id = $1", [stage.action.actionId]);
    const { run } = await callAction(stage);
    await db().query("update approvals set status = 'rejected', decided_at = now() where run_id = $1", [run.run_id]);
    await setRun(run.run_id, "cancelled");
    const replay = await replayRun(requestOf(run.run_id));
    expect(replay).toMatchObject({ status: "waiting_for_approval", approval: { status: "pending", kind: "policy" } });
    expect(await jobsOf(replay.run_id)).toEqual([]);
  });

  test("a replay counts against the user's hundred runs an hour, and a refused replay leaves nothing", async () => {
    const runId = await endedRun();
    await db().query(
      `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, input, correlation_id, user_id)
       select gen_random_uuid(), workspace_id, workflow_id, workflow_version_id, 'action', '{}', 'x', user_id
       from runs, generate_series(1, 99) where id = $1`,
      [runId],
    );
    expect(await errorOf(replayRun(requestOf(runId)))).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    expect(await countRows(stage, "runs", "source = 'replay'")).toBe(0);
    expect(await countRows(stage, "audit_events", "action = 'run.replayed'")).toBe(0);
  });

  test.each([
    ["a step mode without a step id", { mode: "from_step" }],
    ["a step id with another mode", { mode: "resume", stepId: "greet" }],
    ["an unknown step", { stepId: "nowhere" }],
    ["an input with another mode", { mode: "resume", input: { name: "x" } }],
  ] as const)("%s is refused, naming the field", async (_, more) => {
    const runId = await endedRun();
    const error = await errorOf(replayRun(requestOf(runId, more)));
    expect([error.code, error.message]).toEqual(["BAD_REQUEST", expect.stringMatching(/^(step_id|input): /)]);
  });
});

describe("what a replay reuses", () => {
  test("done steps with all their events, by node and iteration, and nothing else", async () => {
    const runId = await endedRun();
    const error = { code: "TIMEOUT" as const, message: "late" };
    await journal(
      runId,
      { kind: "step_started", nodeId: "retried", inputData: { n: 1 } },
      { kind: "step_started", nodeId: "retried", attempt: 2, inputData: { n: 1 }, answeredAttempts: 1 },
      { kind: "step_completed", nodeId: "retried", attempt: 2, outputData: 1 },
      { kind: "step_started", nodeId: "late" },
      { kind: "step_timed_out", nodeId: "late", error },
      { kind: "step_failed_continued", nodeId: "late", error },
      { kind: "step_skipped", nodeId: "bypassed" },
      { kind: "step_started", nodeId: "loop", inputData: { items: [1, 2] } },
      { kind: "step_completed", nodeId: "body", iteration: "0", outputData: 1 },
      { kind: "step_started", nodeId: "body", iteration: "1" },
      { kind: "step_failed", nodeId: "body", iteration: "1", error },
      { kind: "step_pending_approval", nodeId: "gate" },
    );
    const run = await replayRun(requestOf(runId));
    expect(await reusedIn(run.run_id)).toEqual([
      "retried started",
      "retried started",
      "retried completed",
      "late started",
      "late timed_out",
      "late failed_continued",
      "bypassed skipped",
      "body@0 completed",
    ]);
  });

  test("a journal longer than one statement copies, in order", async () => {
    const runId = await endedRun();
    const iterations = Array.from({ length: 2_500 }, (_, index) => String(index));
    await journal(
      runId,
      ...iterations.map((iteration) => ({
        kind: "step_completed" as const,
        nodeId: "body",
        iteration,
        outputData: `${iteration}@example.org`,
      })),
    );
    const run = await replayRun(requestOf(runId));
    expect(await reusedIn(run.run_id)).toEqual(iterations.map((iteration) => `body@${iteration} completed`));
    const { rows } = await db().query("select count(*)::int as n from run_checkpoints where run_id = $1", [run.run_id]);
    expect(rows).toEqual([{ n: 2_500 }]);
  });

  test("nothing, with advice, if a real output is no longer stored; from the start it works", async () => {
    const runId = await endedRun();
    await journal(runId, { kind: "step_completed", nodeId: "greet", outputData: { mail: "ada@example.org" } });
    await db().query("delete from run_checkpoints where run_id = $1", [runId]);
    expect(await errorOf(replayRun(requestOf(runId)))).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^Step outputs of this run are no longer stored\..*from the start/),
    });
    expect(await countRows(stage, "runs")).toBe(1);
    expect(await replayRun(requestOf(runId, { mode: "from_start" }))).toMatchObject({ status: "accepted" });
    // The step with the missing output runs again, so no one needs that output.
    expect(await replayRun(requestOf(runId, { stepId: "greet" }))).toMatchObject({ status: "accepted" });
  });

  test("an output that merely contains [REDACTED_EMAIL] is an output like any other", async () => {
    const runId = await endedRun();
    await journal(runId, { kind: "step_completed", nodeId: "greet", outputData: { mail: "[REDACTED_EMAIL]" } });
    const run = await replayRun(requestOf(runId));
    expect(await reusedIn(run.run_id)).toEqual(["greet completed"]);
  });

  test("from a step in a loop's body, the steps before it in every iteration", async () => {
    const inLoop = (id: string) => ({ ...node(id, "transform"), parentId: "loop" });
    const edge = (source: string, target: string) => ({ id: `${source}${target}`, source, target });
    const definition = {
      // Any type will do: the loop is what the others name as their parent.
      nodes: [
        node("in", "action_input"),
        node("loop", "transform"),
        inLoop("a"),
        inLoop("b"),
        node("end", "return_output"),
      ],
      edges: [edge("in", "loop"), edge("a", "b"), edge("loop", "end")],
    };
    stage.action = await addAction(stage.workspace, { definition });
    const runId = await endedRun("succeeded");
    const done = (nodeId: string, iteration = "") => ({
      kind: "step_completed" as const,
      nodeId,
      iteration,
      outputData: 1,
    });
    await journal(
      runId,
      done("in"),
      done("a", "0"),
      done("b", "0"),
      done("a", "1"),
      done("b", "1"),
      done("loop"),
      done("end"),
    );
    const inside = await replayRun(requestOf(runId, { stepId: "b" }));
    expect(await reusedIn(inside.run_id)).toEqual(["in completed", "a@0 completed", "a@1 completed"]);
    const whole = await replayRun(requestOf(runId, { stepId: "loop" }));
    expect(await reusedIn(whole.run_id)).toEqual(["in completed"]);
  });

  test("the timeline shows them as reused, with their original times", async () => {
    const runId = await endedRun();
    await journal(runId, { kind: "step_completed", nodeId: "start", outputData: {}, durationMs: 3 });
    const { run_id: replayId } = await replayRun(requestOf(runId));
    const reading = { steps: "full", withEvents: false, actionSlugs: null } as const;
    const [original, replay] = await Promise.all(
      [runId, replayId].map((id) => getRun(stage.workspace.workspaceId, id, reading)),
    );
    expect(replay?.run.steps).toEqual(original?.run.steps.map((step) => ({ ...step, reused: true })));
  });
});

test("the reason why a step was skipped is served with the run, and copied into its replay", async () => {
  const runId = await endedRun("failed");
  await journal(runId, { kind: "step_skipped", nodeId: "greet", skipReason: "disabled" });
  const { workspaceId } = stage.workspace;
  const replay = await replayRun(requestOf(runId));
  for (const id of [runId, replay.run_id]) {
    const { run } = await getRun(workspaceId, id, { steps: "full", withEvents: true, actionSlugs: null });
    expect(run.steps).toContainEqual(
      expect.objectContaining({ step_id: "greet", status: "skipped", skip_reason: "disabled" }),
    );
    expect(run.events).toContainEqual(expect.objectContaining({ event: "step_skipped", skipReason: "disabled" }));
  }
});
