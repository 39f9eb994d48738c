import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadSecrets } from "#scripts/instance/secrets";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-secrets-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("secrets", () => {
  test("are created once, differ between instances, and only their owner can read them", async () => {
    const first = await loadSecrets(folder);
    expect(await loadSecrets(folder)).toEqual(first);
    expect((await stat(join(folder, "secrets.json"))).mode & 0o777).toBe(0o600);
    expect(Buffer.from(first.encryptionKeys.replace("k1:", ""), "base64")).toHaveLength(32);
    await rm(join(folder, "secrets.json"));
    const second = await loadSecrets(folder);
    for (const name of ["nextauthSecret", "encryptionKeys", "postgresPassword", "demoPassword"] as const) {
      expect(second[name]).not.toBe(first[name]);
    }
  });

  test("in a damaged file are never replaced, because everything encrypted with them would be lost", async () => {
    await writeFile(join(folder, "secrets.json"), '{"nextauthSecret": "x"');
    await expect(loadSecrets(folder)).rejects.toThrow(/damaged.*--reset/);
    expect(await readFile(join(folder, "secrets.json"), "utf8")).toBe('{"nextauthSecret": "x"');
  });
});
