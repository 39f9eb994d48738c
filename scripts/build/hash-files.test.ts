import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashFiles } from "#scripts/build/hash-files";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-hash-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("the hash of sources changes with a file's content or name, but not with its time", async () => {
  const file = join(folder, "a");
  await writeFile(file, "1");
  const before = await hashFiles([folder]);
  await writeFile(file, "1");
  expect(await hashFiles([folder])).toBe(before);
  await writeFile(file, "2");
  expect(await hashFiles([folder])).not.toBe(before);
  expect(await hashFiles([join(folder, "missing")])).toBe(await hashFiles([]));
});
