import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimInstance, findInstance, type Instance } from "#scripts/instance/instance";
import { identify } from "#scripts/instance/process-lock";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-instance-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function leave(record: Partial<Instance>): Promise<void> {
  const whole = { state: "running", launchedBy: null, url: "http://localhost:3000", databaseUrl: null, processes: [] };
  return writeFile(join(dataDir, "instance.json"), JSON.stringify({ ...whole, ...record }));
}

/** Returns the id of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("a data folder", () => {
  test("has one launcher, and a second launcher gets the first one's address", async () => {
    const claim = await claimInstance(dataDir, null);
    await claim.update({ state: "running", url: "http://localhost:3456" });
    await expect(claimInstance(dataDir, null)).rejects.toThrow(/already running at http:\/\/localhost:3456/);
    await claim.release();
    await claimInstance(dataDir, null);
  });

  test("lets in exactly one of many launchers that start at the same time, even over a dead one's record", async () => {
    await leave({ pid: await deadPid(), startTime: "1" });
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => claimInstance(dataDir, null)));
    expect(attempts.filter((attempt) => attempt.status === "fulfilled")).toHaveLength(1);
    expect(await readdir(dataDir)).toEqual(["instance.json"]);
  });

  test("is free again after the launcher is killed, even if another process has its id", async () => {
    await leave({ pid: process.pid, startTime: "another time" });
    expect(await findInstance(dataDir)).toBeNull();
    await claimInstance(dataDir, null);
    expect(await findInstance(dataDir)).toMatchObject({ pid: process.pid, state: "starting" });
  });

  test("is released if the launcher's npm is gone, because the launcher ends too", async () => {
    const holder = spawn("sleep", ["60"]);
    await leave({ ...identify(holder.pid ?? 0), launchedBy: await deadPid() });
    setTimeout(() => holder.kill("SIGKILL"), 300);
    await claimInstance(dataDir, null);
    expect(await findInstance(dataDir)).toMatchObject({ pid: process.pid });
  });

  test("has no processes of a killed launcher left when new processes start", async () => {
    const stray = spawn("sleep", ["60"]);
    await leave({
      pid: await deadPid(),
      startTime: "1",
      processes: [{ name: "worker 1", ...identify(stray.pid ?? 0) }],
    });
    const ended = once(stray, "exit");
    await claimInstance(dataDir, null);
    expect((await ended)[1]).toBe("SIGKILL");
  });

  test("hides its record from other users, because the record contains the database's password", async () => {
    const claim = await claimInstance(dataDir, null);
    await claim.update({ databaseUrl: "postgres://x:secret@127.0.0.1/x" });
    expect((await stat(join(dataDir, "instance.json"))).mode & 0o777).toBe(0o600);
  });
});
