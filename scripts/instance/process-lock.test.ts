import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findHolder, identify, tryLock } from "#scripts/instance/process-lock";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-lock-"));
  path = join(folder, "lock.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const OWN = identify(process.pid);
const DEAD = { pid: process.pid, startTime: "another time" };

describe("a lock file", () => {
  test("is taken by exactly one of many simultaneous claimants, even if a dead holder left its record", async () => {
    for (let round = 0; round < 200; round += 1) {
      await writeFile(path, JSON.stringify(DEAD));
      const attempts = await Promise.all(Array.from({ length: 8 }, () => tryLock(path, OWN)));
      const won = attempts.filter((attempt) => attempt.isMine);
      expect(won).toEqual([{ isMine: true, leftovers: [DEAD] }]);
      expect(await readdir(folder)).toEqual(["lock.json"]);
    }
  });

  test("does not pass to a refused claimant when its holder is killed", async () => {
    const holder = spawn("sleep", ["60"]);
    const killed = identify(holder.pid ?? 0);
    await tryLock(path, killed);
    expect(await tryLock(path, OWN)).toMatchObject({ isMine: false, holder: killed });
    holder.kill("SIGKILL");
    await once(holder, "exit");
    expect(await findHolder(path)).toBeNull();
    expect(await tryLock(path, OWN)).toEqual({ isMine: true, leftovers: [killed] });
  });

  test("is free for the next claimant after its holder removes it", async () => {
    expect(await tryLock(path, OWN)).toEqual({ isMine: true, leftovers: [] });
    await rm(path);
    expect(await findHolder(path)).toBeNull();
    expect(await tryLock(path, OWN)).toEqual({ isMine: true, leftovers: [] });
  });
});
