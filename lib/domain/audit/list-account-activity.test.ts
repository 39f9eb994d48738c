import { expect, test } from "vitest";
import type { AuditAction } from "#lib/contract/workspace/audit-actions";
import { listAccountActivity } from "#lib/domain/audit/list-account-activity";
import { listAuditEvents } from "#lib/domain/audit/list-audit-events";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { addMember } from "#lib/domain/workspaces/member.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const { workspaceId, userId: ann } = await addWorkspace();
const bob = (await addMember(workspaceId, "admin")).userId;
const service: Actor = { type: "system", id: null, name: null };
const byAnn: Actor = { type: "user", id: ann, name: "Ann" };
const byBob: Actor = { type: "user", id: bob, name: "Bob" };
const events: [AuditAction, Actor, string, string | null][] = [
  ["user.signed_up", byAnn, ann, workspaceId],
  ["user.signed_in", byAnn, ann, null],
  ["user.signed_in", byBob, bob, null],
  ["member.joined", byAnn, ann, workspaceId],
  ["user.unlocked", byAnn, bob, workspaceId],
  ["user.sign_in_failed", service, ann, null],
  ["user.unlocked", byBob, ann, workspaceId],
  ["key.created", byAnn, ann, workspaceId],
];
for (const [action, actor, objectId, workspace] of events) {
  // A minute apart: within one millisecond the order is random.
  await db().query("update audit_events set at = at - interval '1 minute'");
  const objectType = action === "key.created" ? "api_key" : "user";
  await recordAudit(db(), { workspaceId: workspace, actor, action, objectType, objectId });
}

test("a person sees the sign-ins and security changes of their own account only, newest first", async () => {
  const { data } = await listAccountActivity(ann, { limit: 20 });
  expect(data.map(({ action }) => action)).toEqual([
    "user.unlocked",
    "user.sign_in_failed",
    "user.signed_in",
    "user.signed_up",
  ]);
  expect(data.every(({ object_id: id }) => id === ann)).toBe(true);
  expect((await listAccountActivity(bob, { limit: 20 })).data.map(({ action }) => action)).toEqual([
    "user.unlocked",
    "user.signed_in",
  ]);
});

test("the pages contain every event once, and a cursor works only for its own person and list", async () => {
  const first = await listAccountActivity(ann, { limit: 3 });
  const cursor = first.next_cursor ?? "";
  const second = await listAccountActivity(ann, { limit: 3, cursor });
  expect([...first.data, ...second.data].map(({ action }) => action)).toHaveLength(4);
  expect(second.has_more).toBe(false);
  await expect(listAccountActivity(bob, { limit: 3, cursor })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(listAuditEvents(workspaceId, { limit: 3, cursor })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});
