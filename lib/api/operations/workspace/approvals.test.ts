import { describe, expect, test } from "vitest";
import type { Caller, KeyCaller, UserCaller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { approveRunOperation } from "#lib/api/operations/runs/run-decisions";
import {
  countApprovalsOperation,
  getApprovalOperation,
  listApprovalsOperation,
} from "#lib/api/operations/workspace/approvals";
import type { ApiError } from "#lib/contract/error/api-error";
import { SCOPES } from "#lib/contract/key/scopes";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { gatedAction } from "#lib/domain/runs/execute/held-run.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { raceBehindLock } from "#lib/platform/db/test-race";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const CONTEXT = requestContext();
const workspace = await addWorkspace();
const action = await addAction(workspace, { approvalPolicy: "always", name: "Refund" });
const keyId = (await addKey(workspace, { name: "Support bot" })).key_id;
const ann: UserCaller = { kind: "user", role: "approver", name: "Ann", ...workspace };

/** Starts a run with the key and leaves it waiting for approval. */
async function hold(): Promise<{ runId: string; approvalId: string }> {
  const { run } = await callAction({ workspace, action }, { apiKeyId: keyId, input: { name: "ada@example.com" } });
  return { runId: run.run_id, approvalId: run.approval?.id ?? "" };
}

const list = (view: string, more: object = {}) =>
  invoke(listApprovalsOperation, { ...ann, role: "viewer" }, { view, limit: 2, ...more }, CONTEXT);
const get = (approvalId: string, caller = ann) =>
  invoke(getApprovalOperation, caller, { approval_id: approvalId }, CONTEXT);
const decide = (runId: string, decision: string, caller = ann) =>
  invoke(approveRunOperation, caller, { run_id: runId, decision }, CONTEXT);

test("pending requests are listed oldest first, page by page, with the requester", async () => {
  const held = [await hold(), await hold(), await hold()];
  expect(await invoke(countApprovalsOperation, ann, {}, CONTEXT)).toEqual({ pending: 3 });
  const first = await list("pending");
  const second = await list("pending", { cursor: first.next_cursor });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(held.map(({ approvalId }) => approvalId));
  expect(second.has_more).toBe(false);
  const key = await db().query("select prefix from api_keys where id = $1", [keyId]);
  expect(first.data[0]).toMatchObject({
    workflow_name: "Refund",
    requested_by: { type: "api_key", name: "Support bot", prefix: key.rows[0].prefix },
  });
  for (const { runId } of held) await decide(runId, "rejected");
  expect((await list("decided")).data.map(({ id }) => id)).toEqual([held[2]?.approvalId, held[1]?.approvalId]);
  await expect(list("decided", { cursor: first.next_cursor })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("when two people decide one request at once, one decision counts and both see who made it", async () => {
  const { runId, approvalId } = await hold();
  const bob: UserCaller = { ...ann, userId: uuidv7(), name: "Bob" };
  const lock = { text: "select 1 from runs where id = $1 for update", values: [runId] };
  const settled = await raceBehindLock(lock, [() => decide(runId, "approved"), () => decide(runId, "rejected", bob)]);
  const winner = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const loser = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as ApiError] : []));
  expect([winner.length, loser.length]).toEqual([1, 1]);
  const { decided_by: decidedBy, status } = await get(approvalId);
  expect(winner[0]?.approval).toMatchObject({ id: approvalId, status, decided_by: decidedBy });
  expect(loser[0]).toMatchObject({ code: "RUN_NOT_WAITING", details: { status, decided_by: decidedBy } });
  const { rows } = await db().query("select count(*)::int as n from audit_events where object_id = $1", [runId]);
  expect(rows[0].n).toBe(1);
});

test("a request shows the redacted input, what a rejection does and who can decide", async () => {
  const { approvalId } = await hold();
  expect(await get(approvalId, { ...ann, role: "viewer" })).toMatchObject({
    status: "pending",
    input: { name: "[REDACTED_EMAIL]", count: 1 },
    has_rejected_branch: false,
    is_own_forbidden: false,
    deciders: ["Owner"],
  });
  const { one, two } = await (await gatedAction(workspace))();
  expect(await get(one)).toMatchObject({ step_name: "First gate", has_rejected_branch: true });
  expect(await get(two)).toMatchObject({ step_name: "Second gate", has_rejected_branch: false });
  await db().query("update workspaces set forbid_self_approval = true where id = $1", [workspace.workspaceId]);
  expect(await get(approvalId)).toMatchObject({ is_own_forbidden: true });
  expect(await get(approvalId, { ...ann, userId: uuidv7() })).toMatchObject({ is_own_forbidden: false });
});

describe("in a workspace that forbids self-approval", () => {
  const keyCaller = (id: string, userId: string): KeyCaller => ({
    kind: "api_key",
    ...workspace,
    userId,
    keyId: id,
    name: "Bot",
    prefix: "svc_",
    scopes: [...SCOPES],
    actionSlugs: null,
  });
  const approve = (runId: string, caller: Caller) =>
    invoke(approveRunOperation, caller, { run_id: runId, decision: "approved" }, CONTEXT);
  const REFUSED = { code: "FORBIDDEN", reason: "self_approval" };

  test("the user of a run cannot approve it: with the key that started it, with another key, or signed in", async () => {
    const { runId } = await hold();
    const { key_id: otherId } = await addKey(workspace);
    for (const own of [keyCaller(keyId, workspace.userId), keyCaller(otherId, workspace.userId), ann]) {
      await expect(approve(runId, own)).rejects.toMatchObject(REFUSED);
    }
  });

  test("a run that a person started cannot be approved with a key of the same person", async () => {
    const { run } = await callAction({ workspace, action }, { source: "manual" });
    await expect(approve(run.run_id, keyCaller(keyId, workspace.userId))).rejects.toMatchObject(REFUSED);
  });

  test("the key that started a run cannot approve it, even if the key has another user by now", async () => {
    const { runId } = await hold();
    await expect(approve(runId, keyCaller(keyId, uuidv7()))).rejects.toMatchObject(REFUSED);
  });

  test("a key of another person approves", async () => {
    const { runId } = await hold();
    expect((await approve(runId, keyCaller(uuidv7(), uuidv7()))).status).toBe("accepted");
  });
});

test("a member of another workspace sees no requests, and a viewer cannot decide one", async () => {
  const { approvalId, runId } = await hold();
  const stranger: UserCaller = { ...ann, ...(await addWorkspace()) };
  await expect(get(approvalId, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(get("what", ann)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await invoke(listApprovalsOperation, stranger, {}, CONTEXT)).data).toEqual([]);
  await expect(decide(runId, "approved", { ...ann, role: "viewer" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect((await get(approvalId)).status).toBe("pending");
});
