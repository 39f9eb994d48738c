import { describe, expect, test } from "vitest";
import { callRest } from "#lib/api/rest/rest.fixture";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { RUNS_CHANNEL } from "#lib/domain/runs/notify/notify-runs";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "greet" });
await addAction(workspace, { slug: "held", approvalPolicy: "always" });

const makeRun = async (slug = "greet") =>
  String((await callRest("POST", `/actions/${slug}/run`, { key, body: { input: { name: "Ada" } } })).body.run_id);
const read = (runId: string, prefer: string) => callRest("GET", `/runs/${runId}`, { key, headers: { prefer } });

describe("Prefer: wait=N on GET /runs/:run_id", () => {
  test("answers when the run has ended, and the header confirms the wait", async () => {
    const runId = await makeRun();
    const waiting = read(runId, "wait=25");
    // The wait notices the end, whether the run ends before or after the wait starts.
    await setRun(runId, "succeeded", { ok: true });
    await db().query("select pg_notify($1, $2)", [RUNS_CHANNEL, `${workspace.workspaceId}:${runId}`]);
    const answer = await waiting;
    expect(answer).toMatchObject({ status: 200, body: { status: "succeeded", output: { ok: true } } });
    expect(answer.headers.get("preference-applied")).toBe("wait=25");
  });

  test("notices the end of a run without a notification", async () => {
    const runId = await makeRun();
    const waiting = read(runId, "wait=25");
    await setRun(runId, "failed");
    expect((await waiting).body.status).toBe("failed");
  });

  test("answers at once for a run that has ended or waits for approval", async () => {
    const ended = await makeRun();
    await setRun(ended, "cancelled");
    expect((await read(ended, "respond-async, wait=25")).body.status).toBe("cancelled");
    expect((await read(await makeRun("held"), "wait=25")).body.status).toBe("waiting_for_approval");
  });

  test("returns the unfinished run without an error when the time is up", async () => {
    const runId = await makeRun();
    expect(await read(runId, "wait=1")).toMatchObject({ status: 200, body: { run_id: runId, status: "accepted" } });
    expect(await read(runId, "wait=0")).toMatchObject({ status: 200, body: { status: "accepted" } });
  });

  test.each([
    ["wait=100000", "wait=25"],
    ["WAIT=3", "wait=3"],
    ['return=minimal; x=1, wait="7"', "wait=7"],
    ["wait=-1", null],
    ["wait=soon", null],
    ["await=3", null],
  ])("reads %s as %s", async (prefer, applied) => {
    const runId = await makeRun();
    await setRun(runId, "succeeded");
    const answer = await read(runId, prefer);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("preference-applied")).toBe(applied);
  });

  test("answers 404 for an unknown run without waiting", async () => {
    expect((await read(uuidv7(), "wait=25")).status).toBe(404);
  });
});
