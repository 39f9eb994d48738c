import { beforeEach, expect, test } from "vitest";
import { answerRuntime } from "#lib/api/runtime/answer-runtime";
import { flushRequests } from "#lib/domain/keys/count-request";
import { getKeyUsage } from "#lib/domain/keys/get-key-usage";
import { addKey, TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { listKeyActivity } from "#lib/domain/keys/list-key-activity";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await addWorkspace("free");
});

const call = async (rawKey: string, path: string) => {
  const headers = { authorization: `Bearer ${rawKey}` };
  return (await answerRuntime(new Request(`http://localhost/api/v1/runtime${path}`, { headers }))).status;
};
const usageOf = async (keyId: string) => {
  await flushRequests();
  return getKeyUsage(workspace.workspaceId, keyId, () => 60);
};
const hourNow = () => Math.floor(Date.now() / 3_600_000);

test("what a key calls is counted by operation and outcome, refusals included", async () => {
  const startedHour = hourNow();
  const key = await addKey(workspace, { scopes: ["actions:read"] });
  expect(await call(key.raw_key, "/actions")).toBe(200);
  expect(await call(key.raw_key, "/actions")).toBe(200);
  expect(await call(key.raw_key, "/actions/missing")).toBe(404);
  expect(await call(key.raw_key, "/runs")).toBe(403);
  const usage = await usageOf(key.key_id);
  expect(usage.window).toEqual({ limit: 60, used: 4 });
  expect(usage.operations).toEqual([
    { operation: "list_actions", requests: 2, refused: 0 },
    { operation: "get_action", requests: 1, refused: 1 },
    { operation: "list_runs", requests: 1, refused: 1 },
  ]);
  expect(usage.refusals).toMatchObject([{ status: 403, operation: "list_runs", requests: 1 }]);
  const [activity] = await listKeyActivity(workspace.workspaceId);
  expect(activity).toMatchObject({ key_id: key.key_id });
  expect(activity?.hours).toHaveLength(24);
  // A new hour may have started since the calls.
  const newest = activity?.hours.slice(startedHour - hourNow() - 1) ?? [];
  expect(newest.reduce((sum, requests) => sum + requests, 0)).toBe(4);
});

test("an exhausted window and a revoked key are counted as 429 and 401", async () => {
  const key = await addKey(workspace, { scopes: ["actions:read"] });
  await db().query("insert into rate_windows (key_id, newest) values ($1, 60)", [key.key_id]);
  await db().query("insert into rate_hits (key_id, seq, at) select $1, n, now() from generate_series(1, 60) n", [
    key.key_id,
  ]);
  expect(await call(key.raw_key, "/actions")).toBe(429);
  await revokeKey({ ...workspace, keyId: key.key_id, actor: TEST_ACTOR });
  expect(await call(key.raw_key, "/actions")).toBe(401);
  const { refusals } = await usageOf(key.key_id);
  expect(refusals.map(({ status, operation }) => [status, operation])).toEqual(
    expect.arrayContaining([
      [429, ""],
      [401, ""],
    ]),
  );
});

test("another workspace's key answers like an unknown one", async () => {
  const foreign = await addKey(await addWorkspace());
  await expect(usageOf(foreign.key_id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await listKeyActivity(workspace.workspaceId)).toEqual([]);
});
