import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { closeDb, db } from "#lib/platform/db/pool";
import { migrate } from "#prisma/migrate";
import { seed } from "#prisma/seed";
import { startTestWorker } from "#worker/supervise/worker-process.fixture";
import { between, reachesStatus, startRun } from "#worker/worker-stage.fixture";

const role = `plain_${randomBytes(6).toString("hex")}`;
const server = inject("postgresUrl");
let url: string;

async function asSuperuser(...statements: string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  for (const statement of statements) await admin.query(statement);
  await admin.end();
}

/** What RDS, Cloud SQL and Neon give: a role that owns its database and nothing else. */
beforeAll(async () => {
  await asSuperuser(
    `create role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password 'plain'`,
    `create database ${role} owner ${role}`,
    `revoke all on database ${role} from public`,
  );
  const address = new URL(server);
  Object.assign(address, { username: role, password: "plain", pathname: `/${role}` });
  url = address.href;
  const admin = new pg.Client({ connectionString: new URL(`/${role}`, server).href });
  await admin.connect();
  await admin.query("revoke create on schema public from public");
  await admin.end();
  process.env.DATABASE_URL = url;
});
afterAll(async () => {
  await closeDb();
  await asSuperuser(`drop database ${role} with (force)`, `drop role ${role}`);
});

test("a role without any right but its own database can migrate, seed, call actions and run workers", async () => {
  expect((await migrate(url)).length).toBeGreaterThan(0);
  expect(await migrate(url)).toEqual([]);
  await seed({ password: "long enough for the demo" });
  const { rows } = await db().query(
    `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as is_mighty,
            exists (select 1 from pg_extension where extname <> 'plpgsql') as has_extensions
     from pg_roles where rolname = current_user`,
  );
  expect(rows).toEqual([{ is_mighty: false, has_extensions: false }]);
  const workspace = await addWorkspace();
  const worker = await startTestWorker();
  try {
    const fields = [{ name: "greeting", value: "Hello {{in.name}}" }];
    const definition = between([node("greet", "transform", { fields })], "in>greet", "greet>out");
    await reachesStatus(await startRun({ workspace }, definition), "succeeded");
  } finally {
    worker.child.kill("SIGTERM");
    expect(await worker.exited).toBe("code 0");
  }
}, 120_000);
