import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { judgePause } from "#bench/benchmarks/cold";
import { judgeIdleness } from "#bench/benchmarks/idle";
import type { Figure } from "#bench/figures";
import { childrenOf, readActivity } from "#bench/measure/process-usage";

const missed = (figures: readonly Figure[]) =>
  figures.flatMap(({ figure, isMet }) => (isMet === false ? [figure] : []));

const WEB = { name: "web", wakeUps: 120, cpuMs: 300 };
const WORKER = { name: "worker", wakeUps: 120, cpuMs: 300 };
const AT_REST = {
  seconds: 60,
  processes: [WEB, WORKER],
  memoryMib: 250,
  postgres: { cpuMs: 60_000, commits: 6_000 },
};

test("an instance that rests meets the targets, and each process that does not is named", () => {
  expect(missed(judgeIdleness(AT_REST))).toEqual([]);
  const restless = { ...WORKER, wakeUps: 3_000, cpuMs: 301 };
  expect(missed(judgeIdleness({ ...AT_REST, processes: [WEB, restless] }))).toEqual([
    "P29 wake-ups/s: worker",
    "P29 percent of a core, all processes",
  ]);
  expect(missed(judgeIdleness({ ...AT_REST, memoryMib: 251 }))).toEqual(["P29 MiB, all processes, shared memory once"]);
});

test("calls after a pause are compared with those of a busy second by their medians", () => {
  const times = { busy: [10, 10, 90], first: [20, 20, 500], busyAtOnce: [50], firstAtOnce: [150], opened: 0 };
  expect(missed(judgePause(12, times))).toEqual([]);
  expect(missed(judgePause(12, { ...times, first: [21, 21, 1] }))).toEqual([
    "P23 first call after 12 s, p50 ms, floor: a busy second",
  ]);
  expect(missed(judgePause(12, { ...times, firstAtOnce: [151] }))).toEqual([
    "P23 ten at once after 12 s, p50 ms, floor: a busy second",
  ]);
});

test("a process's wake-ups are counted, and its children are found", async () => {
  const program = "process.stdin.on('data', () => process.stdout.write('awake'))";
  const child = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const pid = child.pid ?? 0;
    const wake = async () => {
      child.stdin.write("wake up");
      await once(child.stdout, "data");
    };
    await wake();
    expect(childrenOf([process.pid])).toContain(pid);
    const before = readActivity(pid);
    for (let times = 0; times < 10; times += 1) await wake();
    expect(readActivity(pid).wakeUps - before.wakeUps).toBeGreaterThanOrEqual(5);
  } finally {
    child.kill("SIGKILL");
  }
  expect(readActivity(-1)).toEqual({ wakeUps: 0, cpuMs: 0 });
});
