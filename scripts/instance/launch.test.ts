import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkEncryptionKeys } from "#lib/domain/resealing/check-encryption-keys";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const dataDir = await mkdtemp(join(tmpdir(), "signalbox-launch-"));
// Like the machine that applied the migrations.
await checkEncryptionKeys();
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Starts a machine that applies no migrations. */
function startWorkerMachine(keys: string): { launcher: ChildProcess; output: () => string } {
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  const env = { ...inherited, DATA_DIR: dataDir, ENCRYPTION_KEYS: keys, LOG_TO: "stdout", LOG_LEVEL: "silent" };
  const launcher = spawn(process.execPath, ["scripts/start.ts", "--worker"], { env });
  let text = "";
  for (const stream of [launcher.stdout, launcher.stderr]) stream.on("data", (chunk) => (text += chunk));
  return { launcher, output: () => text };
}

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`;

test("a worker machine with another key under a known id does not start, and says which key", async () => {
  const { launcher, output } = startWorkerMachine(keyOf("k1", 8));
  const [code] = await once(launcher, "exit");
  expect(code, output()).toBe(1);
  expect(output()).toContain('The key "k1" in ENCRYPTION_KEYS is not the one this database was sealed with.');
});

test("a worker machine that starts with a new first key makes the key known, so that reseal accepts it", async () => {
  const { launcher, output } = startWorkerMachine(`${keyOf("k2", 9)},${process.env.ENCRYPTION_KEYS}`);
  await expect.poll(output).toContain("Ctrl-C");
  launcher.kill("SIGTERM");
  await once(launcher, "exit");
  const { rows } = await db().query("select value from instance_settings where name = 'encryption_keys'");
  expect(Object.keys(rows[0].value).toSorted()).toEqual(["k1", "k2"]);
});
