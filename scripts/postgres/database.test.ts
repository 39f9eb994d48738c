import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { openDatabase } from "#scripts/postgres/database";
import { removePostgresHome } from "#scripts/postgres/postgres-home";
import { findPostmaster } from "#scripts/postgres/postgres-process";

vi.stubEnv("DATABASE_URL", "");
const dataDir = await mkdtemp(join(tmpdir(), "signalbox-database-"));
await chmod(dataDir, 0o711);
afterAll(async () => {
  vi.unstubAllEnvs();
  await removePostgresHome(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

describe("the database of an instance", () => {
  test("belongs to a role without superuser rights, and restarts when its server dies", async () => {
    const database = await openDatabase(dataDir, "first");
    process.kill((await findPostmaster(join(dataDir, "postgres")))?.pid ?? 0, "SIGKILL");
    await eventually(async () => expect(await findPostmaster(join(dataDir, "postgres"))).toBeNull());
    await database.revive();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      `select current_user as role, rolsuper as superuser,
              (select datdba = r.oid from pg_database where datname = current_database()) as owner
       from pg_roles r where rolname = current_user`,
    );
    await client.end();
    expect(rows).toEqual([{ role: "signalbox", superuser: false, owner: true }]);
    await database.close();
    expect(await findPostmaster(join(dataDir, "postgres"))).toBeNull();
  });

  test("says what to do if it refuses the password, and does not keep running", async () => {
    await expect(openDatabase(dataDir, "second")).rejects.toThrow(/secrets\.json.*--reset/);
    expect(await findPostmaster(join(dataDir, "postgres"))).toBeNull();
  });

  test("is the one in DATABASE_URL, or the start fails and names the server that does not answer", async () => {
    vi.stubEnv("DATABASE_URL", "postgres://nobody:hidden@127.0.0.1:1/none");
    const error = await openDatabase(dataDir, "first").catch((reason: Error) => reason);
    expect(String(error)).toContain("DATABASE_URL: connect ECONNREFUSED");
    expect(String(error)).not.toContain("hidden");
  });
});
