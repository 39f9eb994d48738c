import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { listSnippets, runToEnd } from "#lib/api/documentation/snippet.fixture";
import { migrate } from "#prisma/migrate";
import { loadSecrets } from "#scripts/instance/secrets";
import { openDatabase } from "#scripts/postgres/database";
import { preparePostgresHome, removePostgresHome } from "#scripts/postgres/postgres-home";
import { findPostmaster } from "#scripts/postgres/postgres-process";
import { reservePort } from "#scripts/testing/reserve-port";

const GUIDE = "docs/guides/operate.md";

vi.stubEnv("DATABASE_URL", "");
const dataDir = await mkdtemp(join(tmpdir(), "signalbox-lost-key-"));
await chmod(dataDir, 0o711);
afterAll(async () => {
  vi.unstubAllEnvs();
  await removePostgresHome(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the guide's commands for this test's data folder, with the changes that the guide names for root. */
async function readCommands(): Promise<string> {
  const snippet = listSnippets(GUIDE, await readFile(GUIDE, "utf8")).find(({ code }) => code.includes("pg_ctl"));
  const { binaries, cluster, user } = await preparePostgresHome(dataDir);
  const commands = (snippet?.code ?? "")
    .replaceAll('"$PWD/.data/postgres"', `"${cluster}"`)
    .replaceAll("./.data/secrets.json", join(dataDir, "secrets.json"))
    .replaceAll("5544", String(await reservePort()));
  if (user === null) return commands;
  const ofUser = commands.replaceAll(/^"\$PG_CTL"/gm, 'runuser -u postgres -- "$PG_CTL"');
  const isCopied = !binaries.startsWith(process.cwd());
  return isCopied ? ofUser.replace(/^PG_CTL=.*$/m, `PG_CTL="${binaries}/bin/pg_ctl"`) : ofUser;
}

test("the commands of the guide make a stopped instance with an embedded database forget a lost key", async () => {
  const { postgresPassword } = await loadSecrets(dataDir);
  const database = await openDatabase(dataDir, postgresPassword);
  await migrate(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into instance_settings (name, value) values ('encryption_keys', '{"k1": "sealed with it"}')`,
  );
  await client.end();
  await database.close();

  const env = { ...process.env, DATA_DIR: dataDir };
  const ended = await runToEnd(["sh", "-eu", "-c", await readCommands()], { cwd: process.cwd(), env });
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
  expect(ended.stdout).toContain('{"forgotten":"k1"}');
  const { cluster } = await preparePostgresHome(dataDir);
  expect(await findPostmaster(cluster)).toBeNull();
});
