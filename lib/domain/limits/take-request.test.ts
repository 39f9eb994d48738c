import { afterEach, describe, expect, test, vi } from "vitest";
import { PLAN_LIMITS } from "#lib/contract/workspace/plans";
import { addKey, TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import { type TakenRequest, takeRequest } from "#lib/domain/limits/take-request";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

afterEach(() => vi.resetModules());

async function takeActive(keyId: string) {
  const taken = await takeRequest(keyId);
  if (taken.state !== "active") throw new Error(`the key is ${taken.state}`);
  return taken;
}

async function takeMany(keyId: string, count: number): Promise<TakenRequest[]> {
  return Promise.all(Array.from({ length: count }, () => takeRequest(keyId)));
}

const allowed = (taken: TakenRequest[]) => taken.filter((one) => one.state === "active" && one.window.isAllowed).length;

/** Lets time pass for the requests counted so far. */
async function age(keyId: string, seconds: number): Promise<void> {
  await db().query("update rate_hits set at = at - make_interval(secs => $2) where key_id = $1", [keyId, seconds]);
}

describe("the window", () => {
  test.each([
    ["free", 60],
    ["starter", 300],
    ["pro", 1000],
    ["business", 1000],
  ] as const)("of plan %s lets exactly %i of many simultaneous requests through", async (plan, limit) => {
    expect(PLAN_LIMITS[plan].requestsPerWindow).toBe(limit);
    const { key_id: keyId } = await addKey(await addWorkspace(plan));
    expect(allowed(await takeMany(keyId, limit + 50))).toBe(limit);
    const { rows } = await db().query("select count(*)::int as n from rate_hits where key_id = $1", [keyId]);
    expect(rows[0].n).toBe(limit);
  });

  test("counts down, and resets in the second in which its oldest request leaves", async () => {
    const { key_id: keyId } = await addKey(await addWorkspace("free"));
    const { window: first } = await takeActive(keyId);
    expect(first).toMatchObject({ limit: 60, remaining: 59, isAllowed: true });
    const { rows } = await db().query("select extract(epoch from at)::float8 as at from rate_hits where key_id = $1", [
      keyId,
    ]);
    expect(first.resetAt).toBe(Math.floor(rows[0].at + 60));
    expect((await takeActive(keyId)).window).toMatchObject({ remaining: 58, resetAt: first.resetAt });
  });

  test("slides: a request that leaves makes room for one, not for sixty", async () => {
    const { key_id: keyId } = await addKey(await addWorkspace("free"));
    await takeActive(keyId);
    await age(keyId, 30);
    expect(allowed(await takeMany(keyId, 59))).toBe(59);
    expect((await takeActive(keyId)).window).toMatchObject({ isAllowed: false, remaining: 0 });
    await age(keyId, 31);
    expect(allowed(await takeMany(keyId, 5))).toBe(1);
    await age(keyId, 30);
    expect(allowed(await takeMany(keyId, 70))).toBe(59);
  });

  test("does not count a refused request, which would lengthen the window", async () => {
    const { key_id: keyId } = await addKey(await addWorkspace("free"));
    await takeMany(keyId, 60);
    const before = (await takeActive(keyId)).window;
    expect(before.isAllowed).toBe(false);
    expect(before.retryAfterSeconds).toBeGreaterThan(50);
    expect(before.retryAfterSeconds).toBeLessThanOrEqual(60);
    await takeMany(keyId, 100);
    expect((await takeActive(keyId)).window.resetAt).toBe(before.resetAt);
    await age(keyId, 60);
    expect((await takeActive(keyId)).window).toMatchObject({ isAllowed: true, remaining: 59 });
    const { rows } = await db().query("select count(*)::int as n from rate_hits where key_id = $1", [keyId]);
    expect(rows[0].n).toBe(1);
  });

  test("belongs to one key: another key of the workspace has its own", async () => {
    const workspace = await addWorkspace("starter");
    const [one, other] = [await addKey(workspace), await addKey(workspace)];
    await takeMany(one.key_id, 10);
    expect((await takeActive(other.key_id)).window.remaining).toBe(299);
  });

  test("shares a statement with the windows of other keys, and each request gets the answer of its own key", async () => {
    const workspace = await addWorkspace("starter");
    const [one, other] = [await addKey(workspace), await addKey(workspace)];
    await takeMany(other.key_id, 298);
    const asked = [other.key_id, one.key_id, uuidv7(), other.key_id, one.key_id, other.key_id];
    const taken = await Promise.all(asked.map((id) => takeRequest(id)));
    const shown = taken.map((each) => (each.state === "active" ? each.window.remaining : each.state));
    expect(shown).toEqual([1, 299, "unknown", 0, 298, 0]);
    expect(taken.map((each) => each.state === "active" && each.window.isAllowed)).toEqual([
      true,
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  test("is read by its first entry, also on a connection that planned while it was empty", async () => {
    const { key_id: keyId } = await addKey(await addWorkspace("pro"));
    await transaction(async (tx) => {
      const take = (count: number) =>
        tx.query({ text: "select from take_requests($1, $2)", values: [Array(count).fill(keyId), { free: 9_999 }] });
      const read = async () => {
        const text = "select idx_tup_fetch::int as n from pg_stat_xact_user_tables where relname = 'rate_hits'";
        return (await tx.query({ text })).rows[0]?.n ?? 0;
      };
      for (let calls = 0; calls < 8; calls += 1) await take(1);
      await take(5_000);
      const before = await read();
      await take(1);
      expect((await read()) - before).toBeLessThan(5);
    });
  });

  test("follows the plan from the next request on", async () => {
    const workspace = await addWorkspace("free");
    const { key_id: keyId } = await addKey(workspace);
    await takeMany(keyId, 60);
    expect((await takeActive(keyId)).window.isAllowed).toBe(false);
    await db().query("update workspaces set plan = 'pro' where id = $1", [workspace.workspaceId]);
    expect((await takeActive(keyId)).window).toMatchObject({ isAllowed: true, limit: 1000, remaining: 939 });
    await db().query("update workspaces set plan = 'free' where id = $1", [workspace.workspaceId]);
    expect((await takeActive(keyId)).window).toMatchObject({ isAllowed: false, limit: 60, remaining: 0 });
  });
});

describe("the key", () => {
  test("is read with the request: workspace, plan, creator, scopes and actions", async () => {
    const workspace = await addWorkspace("pro");
    const key = await addKey(workspace, { name: "Bot", scopes: ["runs:read"] });
    expect((await takeActive(key.key_id)).key).toEqual({
      workspaceId: workspace.workspaceId,
      plan: "pro",
      userId: workspace.userId,
      name: "Bot",
      prefix: key.prefix,
      scopes: ["runs:read"],
      actionSlugs: null,
    });
  });

  test("spends nothing if it is revoked, expired or deleted", async () => {
    const workspace = await addWorkspace();
    const [revoked, expired] = [await addKey(workspace), await addKey(workspace)];
    await revokeKey({ ...workspace, keyId: revoked.key_id, actor: TEST_ACTOR });
    await db().query("update api_keys set expires_at = now() - interval '1 ms' where id = $1", [expired.key_id]);
    expect(await takeRequest(revoked.key_id)).toEqual({ state: "revoked" });
    expect(await takeRequest(expired.key_id)).toEqual({ state: "expired" });
    expect(await takeRequest(uuidv7())).toEqual({ state: "unknown" });
    const { rows } = await db().query("select * from rate_windows where key_id = any($1)", [
      [revoked.key_id, expired.key_id],
    ]);
    expect(rows).toEqual([]);
  });

  test("is marked as used at most once a minute", async () => {
    const { key_id: keyId } = await addKey(await addWorkspace());
    const read = async () =>
      (await db().query("select last_used_at from api_keys where id = $1", [keyId])).rows[0].last_used_at;
    expect(await read()).toBeNull();
    await takeMany(keyId, 5);
    const first = await read();
    expect(first).toBeInstanceOf(Date);
    await takeActive(keyId);
    expect(await read()).toEqual(first);
    await db().query("update api_keys set last_used_at = last_used_at - interval '61 seconds' where id = $1", [keyId]);
    await takeActive(keyId);
    expect((await read()).getTime()).toBeGreaterThanOrEqual(first.getTime());
  });
});

describe("REQUESTS_PER_WINDOW", () => {
  afterEach(() => vi.unstubAllEnvs());

  async function takeManyWith(value: string, keyId: string, count: number): Promise<TakenRequest[]> {
    vi.resetModules();
    vi.stubEnv("REQUESTS_PER_WINDOW", value);
    const fresh = await import("#lib/domain/limits/take-request");
    return Promise.all(Array.from({ length: count }, () => fresh.takeRequest(keyId)));
  }

  test("overrides every plan; 0 means no limit and counts nothing", async () => {
    const { key_id: keyId } = await addKey(await addWorkspace("free"));
    expect(await takeManyWith("2", keyId, 1)).toMatchObject([{ window: { limit: 2, remaining: 1 } }]);
    expect(await takeManyWith("0", keyId, 1)).toMatchObject([{ window: { limit: 0, isAllowed: true } }]);
    const { rows } = await db().query("select count(*)::int as n from rate_hits where key_id = $1", [keyId]);
    expect(rows[0].n).toBe(1);
  });

  test("of 0 lets all of many simultaneous requests through", async () => {
    const { key_id: keyId } = await addKey(await addWorkspace("free"));
    expect(allowed(await takeManyWith("0", keyId, 200))).toBe(200);
  });
});
