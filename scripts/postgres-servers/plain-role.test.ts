import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { listSnippets } from "#lib/api/documentation/snippet.fixture";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { closeDb, db } from "#lib/platform/db/pool";
import { migrate } from "#prisma/migrate";
import { seed } from "#prisma/seed";
import { runVerbs } from "#worker/stories/run-stage.fixture";
import { startCountingServer, startTestWorker } from "#worker/supervise/worker-process.fixture";

const role = `plain_${randomBytes(6).toString("hex")}`;
const server = inject("postgresUrl");
const GUIDE = "docs/guides/postgresql.md";

async function asSuperuser(address: string, ...statements: string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: address });
  await admin.connect();
  for (const statement of statements) await admin.query(statement);
  await admin.end();
}

/** Returns the guide's statements for another role and database than its example. */
function guideStatements(): string[] {
  const snippets = listSnippets(GUIDE, readFileSync(GUIDE, "utf8")).filter(
    ({ language }) => language === "sql fragment",
  );
  return snippets.flatMap(({ code }) => code.replaceAll("signalbox", role).split("\n"));
}

/** Creates a role that owns its database and nothing else, like RDS, Cloud SQL, and Neon do. */
const [createRole = "", createDatabase = "", ...others] = guideStatements();
await asSuperuser(server, createRole, createDatabase, `revoke all on database ${role} from public`);
await asSuperuser(new URL(`/${role}`, server).href, "revoke create on schema public from public", ...others);
const address = new URL(server);
Object.assign(address, { username: role, password: "choose a password", pathname: `/${role}` });
const url = address.href;
process.env.DATABASE_URL = url;
afterAll(async () => {
  await closeDb();
  await asSuperuser(server, `drop database ${role} with (force)`, `drop role ${role}`);
});

test("a role with no rights outside its own database can migrate, seed, call actions, and run workers", async () => {
  expect((await migrate(url)).length).toBeGreaterThan(0);
  expect(await migrate(url)).toEqual([]);
  await seed({ password: "long enough for the demo" });
  const { rows } = await db().query(
    `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as is_mighty,
            exists (select 1 from pg_extension where extname <> 'plpgsql') as has_extensions
     from pg_roles where rolname = current_user`,
  );
  expect(rows).toEqual([{ is_mighty: false, has_extensions: false }]);
  const [workspace, service, worker] = [await addWorkspace(), await startCountingServer(), await startTestWorker()];
  const stage = runVerbs({ workspace, server: service });
  try {
    const fields = [{ name: "greeting", value: "Hello {{in.name}}" }];
    const run = await stage.start([node("greet", "transform", { fields })], "in>greet>out");
    await stage.reaches(run, "succeeded");
  } finally {
    service.close();
    worker.child.kill("SIGTERM");
    expect(await worker.exited).toBe("code 0");
  }
});
