import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { runAdmin } from "#scripts/admin/run-admin";
import { spawnAdmin } from "#scripts/admin/spawn-admin.fixture";
import { loadSecrets } from "#scripts/instance/secrets";

await openTestDatabase();

const folder = await mkdtemp(join(tmpdir(), "add-encryption-key-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a new encryption key is added before the generated keys, and if there are none, the error says where to add it", async () => {
  const before = await loadSecrets(folder);
  const env = { ENCRYPTION_KEYS: "" };
  const { code, stdout } = await spawnAdmin(folder, ["add-encryption-key"], { env });
  expect([code, JSON.parse(stdout)]).toEqual([0, { key: "k2", next: expect.stringContaining("reseal") }]);
  const { encryptionKeys, ...rest } = await loadSecrets(folder);
  expect({ ...rest, encryptionKeys: before.encryptionKeys }).toEqual(before);
  expect(encryptionKeys).toMatch(/^k2:[A-Za-z0-9+/]{43}=,/);
  expect(encryptionKeys.split(",")[1]).toBe(before.encryptionKeys);
  await expect(runAdmin("add-encryption-key", [])).rejects.toThrow("This instance reads its keys from ENCRYPTION_KEYS");
  const { stderr } = await spawnAdmin(join(folder, "none"), ["add-encryption-key"], { env });
  expect(stderr).toMatch(/^There is no secrets\.json in DATA_DIR\. Set DATA_DIR to the data folder of the instance\./);
});
