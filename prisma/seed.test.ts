import { beforeEach, describe, expect, test } from "vitest";
import { createUser } from "#lib/domain/accounts/create-user";
import { hashPassword } from "#lib/domain/accounts/hash-password";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";
import { seed } from "#prisma/seed";

useTestDatabase();

const PASSWORD = "made at the first start";

beforeEach(async () => {
  await emptyTables("workspaces", "users");
});

async function count(table: "users" | "workspaces" | "workflows" | "workflow_versions" | "api_keys"): Promise<number> {
  const { rows } = await db().query<{ n: number }>(`select count(*) as n from ${table}`);
  return rows[0]?.n ?? 0;
}

describe("the demo", () => {
  test("is created once: a later start finds the same user, action and key", async () => {
    const first = await seed({ password: PASSWORD });
    expect(first).toMatchObject({ password: PASSWORD, slug: "hello-world" });
    expect(await seed({ password: PASSWORD, rawKey: first?.rawKey ?? "" })).toEqual(first);
    expect(await Promise.all([count("users"), count("workflow_versions"), count("api_keys")])).toEqual([1, 1, 1]);
  });

  test("is not created in a database with other data", async () => {
    const passwordHash = await hashPassword(PASSWORD);
    await createUser(prisma(), { email: "ann@example.com", name: "Ann", passwordHash });
    expect(await seed({ password: PASSWORD })).toBeNull();
    expect(await count("workspaces")).toBe(0);
  });

  test("gets a new key if the old one was revoked", async () => {
    const first = await seed({ password: PASSWORD });
    await db().query("update api_keys set is_active = false, revoked_at = now()");
    const second = await seed({ password: PASSWORD, rawKey: first?.rawKey ?? "" });
    expect(second?.rawKey).toMatch(/^svc_/);
    expect(second?.rawKey).not.toBe(first?.rawKey);
  });

  test("does not prevent a start if the plan has no room for another key", async () => {
    await seed({ password: PASSWORD });
    await db().query("update workspaces set plan = 'free'");
    expect(await seed({ password: PASSWORD })).toBeNull();
  });

  test("does not show a password that the user has changed", async () => {
    await seed({ password: PASSWORD });
    await db().query("update users set password_hash = $1", [await hashPassword("one of my own")]);
    expect(await seed({ password: PASSWORD })).toMatchObject({ password: null });
  });

  test("does not change an action that the user has archived", async () => {
    await seed({ password: PASSWORD });
    await db().query("update actions set status = 'archived'");
    expect(await seed({ password: PASSWORD })).toBeNull();
    expect(await count("workflows")).toBe(1);
  });

  test("is completed by the next start if the first one was killed in the middle", async () => {
    await seed({ password: PASSWORD });
    await emptyTables("actions", "workflows", "api_keys");
    expect(await seed({ password: PASSWORD })).toMatchObject({ slug: "hello-world" });
  });
});
