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

// A user can start a hundred runs in an hour. This file needs more.
process.env.RUNS_PER_USER_PER_HOUR = "0";

await openTestDatabase();

const workspace = await addWorkspace();
const made = await addKey(workspace, { scopes: [...SCOPES], name: "Decider" });
const [key, keyId] = [made.raw_key, made.key_id];
await addAction(workspace, { slug: "held", approvalPolicy: "always" });
await addAction(workspace, { slug: "free" });

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function makeRun(slug = "held", body: object = {}): Promise<RunObject> {
  const answer = await callRest("POST", `/actions/${slug}/run`, { key, body: { input: { name: "Ada" }, ...body } });
  return answer.body as unknown as RunObject;
}
const heldId = async () => (await makeRun()).run_id;
const decide = (runId: string, body?: unknown, rawKey = key) =>
  callRest("POST", `/runs/${runId}/approve`, { key: rawKey, body });
const read = async (runId: string) => (await callRest("GET", `/runs/${runId}`, { key })).body as unknown as RunObject;

/** Expires the approval, as if its hour were over. */
async function makeDue(runId: string): Promise<void> {
  await db().query("update approvals set expires_at = now() - interval '1 second' where run_id = $1", [runId]);
}

describe("200", () => {
  test.each([
    ["no body", undefined],
    ["an empty object", {}],
    ["only a comment", { comment: "go" }],
    ["null for what is left out", { decision: null, approved: null, comment: null, approval_id: null }],
    ["decision approved", { decision: "approved" }],
    ["decision approve", { decision: "approve" }],
    ["approved: true", { approved: true }],
    ["decision and approved that agree", { decision: "approve", approved: true, unknown: 1 }],
  ])("%s approves: the run is accepted and its job is queued", async (_, body) => {
    const made = await makeRun("held", { correlation_id: "order-9" });
    expect(await jobsOf(made.run_id)).toEqual([]);
    const answer = await decide(made.run_id, body);
    expect(answer.status).toBe(200);
    expectRateHeaders(answer);
    expect(answer.headers.get("x-correlation-id")).toBe("order-9");
    expect(answer.body).toEqual({
      ...made,
      status: "accepted",
      approval: {
        ...made.approval,
        status: "approved",
        decided_at: expect.stringMatching(ISO),
        decided_by: { type: "api_key", id: keyId, name: "Decider" },
        comment: (body as { comment?: string } | undefined)?.comment ?? null,
      },
    });
    expect(await jobsOf(made.run_id)).toEqual([{ priority: 0, is_suspect: false }]);
    expect(await read(made.run_id)).toEqual(answer.body);
  });

  test.each([[{ decision: "rejected" }], [{ decision: "reject" }], [{ approved: false, comment: " Not today " }]])(
    "%j rejects: the run is cancelled with APPROVAL_REJECTED and no job is queued",
    async (body) => {
      const runId = await heldId();
      const answer = await decide(runId, body);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          status: "cancelled",
          output: null,
          error: { code: "APPROVAL_REJECTED", message: "Rejected by Decider" },
          started_at: null,
          completed_at: expect.stringMatching(ISO),
          approval: { status: "rejected", comment: "comment" in body ? "Not today" : null },
        },
      });
      expect(await jobsOf(runId)).toEqual([]);
      expect(await read(runId)).toEqual(answer.body);
    },
  );

  test("repeating the same decision changes nothing, whatever the run's state", async () => {
    const approved = await heldId();
    const first = await decide(approved, { comment: "first" });
    expect(await decide(approved, { comment: "second" })).toMatchObject({ status: 200, body: first.body });
    expect(await jobsOf(approved)).toHaveLength(1);
    await setRun(approved, "succeeded", { text: "done" });
    expect(await decide(approved)).toMatchObject({ status: 200, body: { status: "succeeded" } });
    const rejected = await heldId();
    const second = await decide(rejected, { approved: false });
    expect(await decide(rejected, { approved: false })).toMatchObject({ status: 200, body: second.body });
    const { rows } = await db().query("select action from audit_events where object_id = any($1) order by at", [
      [approved, rejected],
    ]);
    expect(rows).toEqual([{ action: "run.approved" }, { action: "run.rejected" }]);
  });

  test("approval_id selects the approval request", async () => {
    const { run_id: runId, approval } = await makeRun();
    expect(await decide(runId, { approval_id: approval?.id })).toMatchObject({
      status: 200,
      body: { status: "accepted" },
    });
  });

  test("a comment of 2000 characters is stored", async () => {
    const comment = "x".repeat(2_000);
    expect((await decide(await heldId(), { comment })).body).toMatchObject({ approval: { comment } });
  });
});

describe("400", () => {
  test.each([
    ["decision", { decision: "yes" }],
    ["decision", { decision: true }],
    ["approved", { approved: "true" }],
    ["approved", { decision: "rejected", approved: true }],
    ["comment", { comment: 7 }],
    ["comment", { comment: "x".repeat(2_001) }],
    ["approval_id", { approval_id: "that one" }],
    // A misspelled rejection must not approve.
    ["decision", { decison: "rejected" }],
    ["decision", { action: "reject", comment: "no" }],
  ])("names %s if it is invalid: %j", async (field, body) => {
    const runId = await heldId();
    const answer = await decide(runId, body);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    expect(answer.body.error).toMatch(new RegExp(`^${field}:`));
    expect((await read(runId)).status).toBe("waiting_for_approval");
  });

  test.each(["{broken", "null", "[]", '"approved"', '{"comment":"a\\u0000b"}'])("for the body %s", async (body) => {
    const runId = await heldId();
    expect(await decide(runId, body)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    expect((await read(runId)).status).toBe("waiting_for_approval");
  });
});

describe("403", () => {
  test("for a key limited to actions, even for their runs and with the scope stored in an earlier release", async () => {
    const limited = await addKey(workspace, { actionSlugs: ["free", "held"] });
    await db().query("update api_keys set scopes = $2 where id = $1", [limited.key_id, [...SCOPES]]);
    expect(await decide(await heldId(), {}, limited.raw_key)).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", reason: "scope_missing" },
    });
  });

  test("if the workspace forbids self-approval, users cannot approve runs they started, with any of their keys", async () => {
    const strict = await addWorkspace();
    await addAction(strict, { slug: "held", approvalPolicy: "always" });
    await db().query("update workspaces set forbid_self_approval = true where id = $1", [strict.workspaceId]);
    const [starter, other] = await Promise.all([1, 2].map(() => addKey(strict, { scopes: [...SCOPES] })));
    const call = { key: starter?.raw_key ?? "", body: { input: { name: "Ada" } } };
    const runId = String((await callRest("POST", "/actions/held/run", call)).body.run_id);
    for (const own of [starter, other]) {
      const answer = await decide(runId, {}, own?.raw_key);
      expect(answer).toMatchObject({
        status: 403,
        body: { code: "FORBIDDEN", details: { reason: "self_approval" } },
      });
    }
    expect(await jobsOf(runId)).toEqual([]);
    // Cancelling your own run is not an approval.
    expect(await decide(runId, { decision: "rejected" }, other?.raw_key)).toMatchObject({
      status: 200,
      body: { status: "cancelled" },
    });
  });
});

describe("404", () => {
  test("RUN_NOT_FOUND for an unknown run, a run of another workspace and an invalid id", async () => {
    const stranger = (await addKey(await addWorkspace(), { scopes: [...SCOPES] })).raw_key;
    const runId = await heldId();
    const answers = await Promise.all([
      decide(uuidv7()),
      decide("not-a-uuid"),
      decide(runId, {}, stranger),
      decide(runId, "{broken", stranger),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toEqual({ error: "There is no such run.", code: "RUN_NOT_FOUND", reason: "run_not_found" });
    }
    expect((await read(runId)).status).toBe("waiting_for_approval");
  });

  test("NOT_FOUND for an approval request of another run", async () => {
    const [one, other] = [await makeRun(), await makeRun()];
    for (const id of [other.approval?.id, uuidv7()]) {
      expect(await decide(one.run_id, { approval_id: id })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
    expect((await read(other.run_id)).status).toBe("waiting_for_approval");
  });
});

describe("409", () => {
  test("RUN_NOT_WAITING for the opposite decision, with who decided first and when", async () => {
    for (const [first, second] of [
      ["approved", "rejected"],
      ["rejected", "approved"],
    ] as const) {
      const runId = await heldId();
      const decided = (await decide(runId, { decision: first })).body as unknown as RunObject;
      const answer = await decide(runId, { decision: second });
      expect(answer).toMatchObject({
        status: 409,
        body: {
          error: `The run was already ${first} by Decider at ${decided.approval?.decided_at}.`,
          code: "RUN_NOT_WAITING",
          details: { status: first, decided_by: { type: "api_key", id: keyId, name: "Decider" } },
        },
      });
      expect(await read(runId)).toEqual(decided);
    }
  });

  test.each(["accepted", "running", "succeeded", "failed", "cancelled", "timed_out"] as const)(
    "RUN_NOT_WAITING for a %s run that never waited",
    async (status) => {
      const { run_id: runId } = await makeRun("free");
      if (status !== "accepted") await setRun(runId, status);
      for (const decision of ["approved", "rejected"]) {
        expect(await decide(runId, { decision })).toMatchObject({
          status: 409,
          body: { code: "RUN_NOT_WAITING", error: `The run is not waiting for approval. Its status is ${status}.` },
        });
      }
      expect((await read(runId)).status).toBe(status);
    },
  );

  test("RUN_NOT_WAITING for a dry run, which skips the approval policy", async () => {
    const { run_id: runId } = await makeRun("held", { dry_run: true });
    expect(await decide(runId)).toMatchObject({ status: 409, body: { code: "RUN_NOT_WAITING" } });
  });

  test("RUN_NOT_WAITING for a run that was cancelled while it waited", async () => {
    const runId = await heldId();
    await callRest("POST", `/runs/${runId}/cancel`, { key });
    const answer = await decide(runId);
    expect(answer).toMatchObject({ status: 409, body: { code: "RUN_NOT_WAITING" } });
    expect(answer.body.error).toMatch(/^The approval request was canceled by Decider at /);
    expect(await jobsOf(runId)).toEqual([]);
  });

  test.each(["approved", "rejected"])("APPROVAL_EXPIRED if %s arrives after the hour is over", async (decision) => {
    const runId = await heldId();
    await makeDue(runId);
    const refused = { status: 409, body: { code: "APPROVAL_EXPIRED" } };
    expect(await decide(runId, { decision })).toMatchObject(refused);
    const run = await read(runId);
    expect(run).toMatchObject({
      status: "timed_out",
      error: { code: "APPROVAL_EXPIRED", message: expect.any(String) },
      completed_at: expect.stringMatching(ISO),
      approval: { status: "expired", decided_by: { type: "system", id: null, name: null }, comment: null },
    });
    expect(await decide(runId, { decision })).toMatchObject(refused);
    expect(await read(runId)).toEqual(run);
    expect(await jobsOf(runId)).toEqual([]);
  });
});
