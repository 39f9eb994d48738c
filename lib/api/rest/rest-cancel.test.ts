import { describe, expect, test } from "vitest";
import { callRest, expectRateHeaders } from "#lib/api/rest/rest.fixture";
import { SCOPES } from "#lib/contract/key/scopes";
import type { RunObject } from "#lib/contract/run/run";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { jobsOf } from "#lib/domain/runs/create/call-action.fixture";
import { setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const workspace = await addWorkspace();
const made = await addKey(workspace, { name: "Caller" });
const [key, keyId] = [made.raw_key, made.key_id];
await addAction(workspace, { slug: "held", approvalPolicy: "always" });
await addAction(workspace, { slug: "free" });

async function makeRun(slug = "free", body: object = {}): Promise<string> {
  const call = { key, body: { input: { name: "Ada" }, ...body } };
  return String((await callRest("POST", `/actions/${slug}/run`, call)).body.run_id);
}
const cancel = (runId: string, body?: unknown, rawKey = key) =>
  callRest("POST", `/runs/${runId}/cancel`, { key: rawKey, body });
const read = async (runId: string) => (await callRest("GET", `/runs/${runId}`, { key })).body as unknown as RunObject;

const CANCELLED = { status: "cancelled", output: null, error: null, completed_at: expect.stringMatching(/Z$/) };

test("200 for an accepted run: it is cancelled at once and its job is removed", async () => {
  const runId = await makeRun("free", { correlation_id: "order-9" });
  expect(await jobsOf(runId)).toHaveLength(1);
  const answer = await cancel(runId);
  expect(answer).toMatchObject({ status: 200, body: { run_id: runId, ...CANCELLED, started_at: null } });
  expectRateHeaders(answer);
  expect(answer.headers.get("x-correlation-id")).toBe("order-9");
  expect(await jobsOf(runId)).toEqual([]);
  expect(await read(runId)).toEqual(answer.body);
});

test("200 for a waiting run: it is cancelled at once, and so is its approval request", async () => {
  const runId = await makeRun("held");
  expect(await cancel(runId, {})).toMatchObject({
    status: 200,
    body: {
      ...CANCELLED,
      approval: { status: "cancelled", decided_by: { type: "api_key", id: keyId, name: "Caller" } },
    },
  });
});

test("202 for a running run: the status is final and the worker's lease is no longer valid", async () => {
  const runId = await makeRun();
  await setRun(runId, "running");
  await db().query("update runs set lease_owner = 'pool-1', lease_token = 7, claimed_at = now() where id = $1", [
    runId,
  ]);
  expect(await cancel(runId)).toMatchObject({ status: 202, body: CANCELLED });
  const { rows } = await db().query("select lease_owner, lease_token, claimed_at from runs where id = $1", [runId]);
  expect(rows).toEqual([{ lease_owner: null, lease_token: 8, claimed_at: null }]);
  expect((await cancel(runId)).status).toBe(200);
});

test.each(["succeeded", "failed", "cancelled", "timed_out"] as const)(
  "200 for a run that is %s: it does not change",
  async (status) => {
    const runId = await makeRun();
    await setRun(runId, status, status === "succeeded" ? { done: true } : null);
    const before = await read(runId);
    expect(await cancel(runId)).toMatchObject({ status: 200, body: before });
    expect(await read(runId)).toEqual(before);
  },
);

test("200 for a dry run, which has already succeeded", async () => {
  expect(await cancel(await makeRun("free", { dry_run: true }))).toMatchObject({
    status: 200,
    body: { status: "succeeded" },
  });
});

test("the cancellation is recorded once in the audit log, with its actor", async () => {
  const runId = await makeRun();
  await cancel(runId);
  await cancel(runId);
  const { rows } = await db().query("select actor_id, action, details from audit_events where object_id = $1", [runId]);
  expect(rows).toEqual([{ actor_id: keyId, action: "run.cancelled", details: { from: "accepted", sub_runs: 0 } }]);
});

describe("404 RUN_NOT_FOUND", () => {
  test("for an unknown run, a run of another workspace, an invalid id, and a run of an action the key may not see", async () => {
    const stranger = (await addKey(await addWorkspace(), { scopes: [...SCOPES] })).raw_key;
    const limited = (await addKey(workspace, { scopes: ["actions:run"], actionSlugs: ["held"] })).raw_key;
    const runId = await makeRun();
    const answers = await Promise.all([
      cancel(uuidv7()),
      cancel("not-a-uuid"),
      cancel(runId, {}, stranger),
      cancel(runId, {}, limited),
      cancel(runId, "{broken", limited),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toEqual({ error: "There is no such run.", code: "RUN_NOT_FOUND", reason: "run_not_found" });
    }
    expect((await read(runId)).status).toBe("accepted");
    expect(await jobsOf(runId)).toHaveLength(1);
  });
});

test("400 for a body that cannot be read; unknown fields are ignored", async () => {
  const runId = await makeRun();
  expect(await cancel(runId, "{broken")).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  expect((await read(runId)).status).toBe("accepted");
  expect((await cancel(runId, { reason: "changed my mind" })).status).toBe(200);
});
