import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import { SCOPES } from "#lib/contract/key/scopes";
import { keepBothKeys } from "#lib/domain/keys/keep-both-keys";
import { addKey, TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { listKeys } from "#lib/domain/keys/list-keys";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import { rotateKey } from "#lib/domain/keys/rotate-key";
import { verifyKey, verifyKeys } from "#lib/domain/keys/verify-key";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: ApiError) => error.code,
  );

async function forceExpiry(keyId: string): Promise<void> {
  await db().query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [keyId]);
}

describe("issuing", () => {
  test("a raw key is svc_ and 24 random bytes in base64url, and starts with its public prefix", async () => {
    const key = await addKey(await addWorkspace());
    expect(key.raw_key).toMatch(/^svc_[A-Za-z0-9_-]{32}$/);
    expect(Buffer.from(key.raw_key.slice(4), "base64url")).toHaveLength(24);
    expect(key.prefix).toBe(key.raw_key.slice(0, 8));
  });

  test("only sha256 of a 16-byte salt followed by the raw key is stored", async () => {
    const key = await addKey(await addWorkspace());
    const { rows } = await db().query("select * from api_keys where id = $1", [key.key_id]);
    const [{ salt, secret_hash }] = rows;
    expect(salt).toHaveLength(16);
    const salts = await db().query("select count(distinct salt)::int as salts, count(*)::int as keys from api_keys");
    expect(salts.rows[0].salts).toBe(salts.rows[0].keys);
    expect(secret_hash).toEqual(createHash("sha256").update(salt).update(key.raw_key).digest());
    expect(JSON.stringify(rows)).not.toContain(key.raw_key.slice(8));
    const audit = await db().query("select details::text from audit_events where object_id = $1", [key.key_id]);
    expect(audit.rows).toHaveLength(1);
    expect(audit.rows[0].details).not.toContain(key.raw_key.slice(8));
  });

  test("a key created without scopes has the contract's six", async () => {
    expect((await addKey(await addWorkspace())).scopes).toEqual([
      "actions:read",
      "actions:run",
      "runs:read",
      "connectors:read",
      "workflows:read",
      "workflows:write",
    ]);
  });

  test("the contract's nine scopes can be given to a key, and no other", async () => {
    const nine = [
      "actions:read",
      "actions:run",
      "runs:read",
      "approvals:decide",
      "connectors:read",
      "connectors:write",
      "workflows:read",
      "workflows:write",
      "workflows:run",
    ];
    expect(SCOPES.toSorted()).toEqual(nine.toSorted());
    expect((await addKey(await addWorkspace(), { scopes: [...SCOPES] })).scopes.toSorted()).toEqual(nine.toSorted());
  });

  test.each([
    ["free", 1],
    ["starter", 3],
    ["pro", 10],
  ] as const)("the %s plan allows %i active keys, however many are created at once", async (plan, limit) => {
    const workspace = await addWorkspace(plan);
    const results = await Promise.all(Array.from({ length: limit + 5 }, () => codeOf(addKey(workspace))));
    expect(results.filter((code) => code === "no error")).toHaveLength(limit);
    expect(results.filter((code) => code === "KEY_QUOTA_EXCEEDED")).toHaveLength(5);
  });

  test("revoked and expired keys do not count", async () => {
    const workspace = await addWorkspace("free");
    const first = await addKey(workspace);
    await revokeKey({ ...workspace, keyId: first.key_id, actor: TEST_ACTOR });
    const second = await addKey(workspace);
    await forceExpiry(second.key_id);
    await addKey(workspace);
    expect((await listKeys(workspace.workspaceId, { limit: 20 })).quota).toEqual({ used: 1, limit: 1, plan: "free" });
  });

  test("an expiry must be in the future, and an action that limits the key must exist", async () => {
    const workspace = await addWorkspace();
    expect(await codeOf(addKey(workspace, { expiresAt: new Date(0) }))).toBe("BAD_REQUEST");
    expect(await codeOf(addKey(workspace, { actionSlugs: ["nowhere"] }))).toBe("BAD_REQUEST");
  });
});

describe("revoking", () => {
  test("is idempotent: the second answer equals the first, with the same time", async () => {
    const workspace = await addWorkspace();
    const { key_id: keyId } = await addKey(workspace);
    const first = await revokeKey({ ...workspace, keyId, actor: TEST_ACTOR });
    expect(first).toMatchObject({ status: "revoked", revoked_at: expect.any(String) });
    expect(await revokeKey({ ...workspace, keyId, actor: TEST_ACTOR })).toEqual(first);
    const { rows } = await db().query(
      "select count(*)::int as n from audit_events where object_id = $1 and action = 'key.revoked'",
      [keyId],
    );
    expect(rows[0].n).toBe(1);
  });

  test("another workspace's key answers like an unknown one, and stays active", async () => {
    const { key_id: keyId } = await addKey(await addWorkspace());
    const { workspaceId } = await addWorkspace();
    expect(await codeOf(revokeKey({ workspaceId, keyId, actor: TEST_ACTOR }))).toBe("NOT_FOUND");
    expect(await codeOf(revokeKey({ workspaceId, keyId: uuidv7(), actor: TEST_ACTOR }))).toBe("NOT_FOUND");
    expect(await codeOf(rotateKey({ workspaceId, keyId, actor: TEST_ACTOR }))).toBe("NOT_FOUND");
    const { rows } = await db().query("select is_active from api_keys where id = $1", [keyId]);
    expect(rows[0].is_active).toBe(true);
  });
});

describe("rotating", () => {
  test("keeps name, scopes, expiry and creator, revokes the original, and works with a full quota", async () => {
    const workspace = await addWorkspace("free");
    const expiresAt = new Date(Date.now() + 86_400_000);
    const original = await addKey(workspace, { name: "Bot", scopes: ["runs:read"], expiresAt });
    const rotated = await rotateKey({ ...workspace, keyId: original.key_id, actor: TEST_ACTOR });
    expect(rotated).toMatchObject({
      name: "Bot",
      scopes: ["runs:read"],
      expires_at: expiresAt.toISOString(),
      created_by: "Owner",
      status: "active",
    });
    expect(rotated.raw_key).not.toBe(original.raw_key);
    const { data, quota } = await listKeys(workspace.workspaceId, { limit: 20 });
    expect(data.map((key) => key.status)).toEqual(["active", "revoked"]);
    expect(quota.used).toBe(1);
  });

  test("two concurrent rotations of one key create one replacement", async () => {
    const workspace = await addWorkspace();
    const { key_id: keyId } = await addKey(workspace);
    const rotate = () => codeOf(rotateKey({ ...workspace, keyId, actor: TEST_ACTOR }));
    expect((await Promise.all([rotate(), rotate(), rotate()])).sort()).toEqual([
      "BAD_REQUEST",
      "BAD_REQUEST",
      "no error",
    ]);
    expect((await listKeys(workspace.workspaceId, { limit: 20 })).data).toHaveLength(2);
  });

  test("a rotation that fails halfway creates no key and leaves the original active", async () => {
    const workspace = await addWorkspace();
    const original = await addKey(workspace);
    const rotate = () => rotateKey({ ...workspace, keyId: original.key_id, actor: TEST_ACTOR });
    await db().query("alter table audit_events rename to audit_events_away");
    try {
      await expect(rotate()).rejects.toThrow();
    } finally {
      await db().query("alter table audit_events_away rename to audit_events");
    }
    const { data } = await listKeys(workspace.workspaceId, { limit: 20 });
    expect(data.map((key) => [key.key_id, key.status])).toEqual([[original.key_id, "active"]]);
    expect((await rotate()).status).toBe("active");
  });

  test("with overlap, both keys work until one is revoked, and the replacement names the key it replaces", async () => {
    const workspace = await addWorkspace("starter");
    const original = await addKey(workspace, { name: "Bot", scopes: ["runs:read"] });
    const rotate = () => rotateKey({ ...workspace, keyId: original.key_id, actor: TEST_ACTOR, keepsOriginal: true });
    const results = await Promise.allSettled([rotate(), rotate()]);
    const [made] = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(made).toMatchObject({ name: "Bot", scopes: ["runs:read"], replaces: { key_id: original.key_id } });
    const listed = async () => (await listKeys(workspace.workspaceId, { limit: 20 })).data;
    expect((await listed()).map((key) => [key.status, key.replaces?.prefix])).toEqual([
      ["active", original.prefix],
      ["active", undefined],
    ]);
    await db().query("update api_keys set last_used_at = '2026-01-02T03:04:05Z' where id = $1", [original.key_id]);
    expect((await listed())[0]?.replaces?.last_used_at).toBe("2026-01-02T03:04:05.000Z");
    await revokeKey({ ...workspace, keyId: original.key_id, actor: TEST_ACTOR });
    expect((await listed()).map((key) => [key.status, key.replaces])).toEqual([
      ["active", null],
      ["revoked", null],
    ]);
  });

  test("with overlap, a second key must fit the quota; both may be kept", async () => {
    const full = await addWorkspace("free");
    const only = await addKey(full);
    const beside = { actor: TEST_ACTOR, keepsOriginal: true };
    expect(await codeOf(rotateKey({ ...full, ...beside, keyId: only.key_id }))).toBe("KEY_QUOTA_EXCEEDED");
    const workspace = await addWorkspace("starter");
    const original = await addKey(workspace);
    const { key_id: keyId } = await rotateKey({ ...workspace, ...beside, keyId: original.key_id });
    expect(await codeOf(keepBothKeys({ ...full, keyId, actor: TEST_ACTOR }))).toBe("NOT_FOUND");
    const kept = await keepBothKeys({ ...workspace, keyId, actor: TEST_ACTOR });
    expect(kept).toMatchObject({ status: "active", replaces: null });
    expect(await keepBothKeys({ ...workspace, keyId, actor: TEST_ACTOR })).toEqual(kept);
    const { rows } = await db().query("select action from audit_events where object_id = $1 order by at", [keyId]);
    expect(rows.map((row) => row.action)).toEqual(["key.rotated", "key.kept"]);
  });

  test("a key that is still to be revoked stays known when its replacement is replaced at once", async () => {
    const workspace = await addWorkspace("starter");
    const { key_id: originalId } = await addKey(workspace);
    const beside = { ...workspace, actor: TEST_ACTOR, keepsOriginal: true };
    const { key_id: keyId } = await rotateKey({ ...beside, keyId: originalId });
    const last = await rotateKey({ ...workspace, keyId, actor: TEST_ACTOR });
    expect(last.replaces).toMatchObject({ key_id: originalId });
    expect(await codeOf(rotateKey({ ...beside, keyId: originalId }))).toBe("BAD_REQUEST");
  });

  test("a revoked or expired key cannot be rotated", async () => {
    const workspace = await addWorkspace();
    const revoked = await addKey(workspace);
    await revokeKey({ ...workspace, keyId: revoked.key_id, actor: TEST_ACTOR });
    const expired = await addKey(workspace);
    await forceExpiry(expired.key_id);
    for (const { key_id: keyId } of [revoked, expired]) {
      expect(await codeOf(rotateKey({ ...workspace, keyId, actor: TEST_ACTOR }))).toBe("BAD_REQUEST");
    }
  });
});

describe("verifying", () => {
  test("finds the key among others with the same prefix, even after identities are cached", async () => {
    const workspace = await addWorkspace();
    const first = await addKey(workspace);
    expect(await verifyKey(first.raw_key)).toBe(first.key_id);
    // Writes a second key that shares the eight characters: the chance of that is 1 in 16 million per pair.
    const twin = `${first.prefix}${"x".repeat(28)}`;
    const twinId = uuidv7();
    const salt = Buffer.alloc(16, 1);
    await db().query(
      `insert into api_keys (id, workspace_id, created_by, name, prefix, salt, secret_hash, scopes)
       values ($1, $2, $3, 'twin', $4, $5, $6, '{}')`,
      [
        twinId,
        workspace.workspaceId,
        workspace.userId,
        first.prefix,
        salt,
        createHash("sha256").update(salt).update(twin).digest(),
      ],
    );
    expect(await verifyKey(twin)).toBe(twinId);
    expect(await verifyKey(first.raw_key)).toBe(first.key_id);
  });

  test.each([
    "",
    "svc_",
    "svc_short",
    `svc_${"a".repeat(31)}`,
    `svc_${"a".repeat(33)}`,
    `SVC_${"a".repeat(32)}`,
    `svc_${"a".repeat(31)}=`,
    `svc_${"a".repeat(32)}\n`,
    `svc_${"a".repeat(32)}`,
  ])("%j verifies no key", async (rawKey) => {
    expect(await verifyKey(rawKey)).toBeNull();
  });

  test("finds several keys at once, in the order of the secrets, and nothing for the wrong ones among them", async () => {
    const workspace = await addWorkspace();
    const [first, second] = [await addKey(workspace), await addKey(workspace)];
    const wrong = `${first.prefix}${"y".repeat(28)}`;
    const given = ["svc_short", second.raw_key, wrong, first.raw_key, `svc_${"q".repeat(32)}`, second.raw_key];
    const expected = [null, second.key_id, null, first.key_id, null, second.key_id];
    expect(await verifyKeys(given)).toEqual(expected);
    // The second time from the memory of the process.
    expect(await verifyKeys(given)).toEqual(expected);
    expect(await verifyKeys([])).toEqual([]);
  });

  test("a right prefix with a wrong secret verifies no key", async () => {
    const { raw_key: rawKey } = await addKey(await addWorkspace());
    const last = rawKey.endsWith("A") ? "B" : "A";
    expect(await verifyKey(rawKey.slice(0, -1) + last)).toBeNull();
    expect(await verifyKey(rawKey)).not.toBeNull();
    expect(await verifyKey(rawKey.slice(0, -1) + last)).toBeNull();
  });
});

describe("listing", () => {
  test("pages newest first, and a cursor belongs to its workspace", async () => {
    const workspace = await addWorkspace();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await addKey(workspace, { name: `k${n}` })).key_id);
    const first = await listKeys(workspace.workspaceId, { limit: 2 });
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const cursor = first.next_cursor ?? "";
    const second = await listKeys(workspace.workspaceId, { limit: 3, cursor });
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect([...first.data, ...second.data].map((key) => key.key_id)).toEqual(ids);
    expect(JSON.stringify(first)).not.toMatch(/salt|hash|raw_key/);
    const other = await addWorkspace();
    expect(await codeOf(listKeys(other.workspaceId, { limit: 3, cursor }))).toBe("BAD_REQUEST");
  });
});
