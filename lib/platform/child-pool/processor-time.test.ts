import { expect, test } from "vitest";
import { measureCpuMs, parseCpuTime } from "#lib/platform/child-pool/processor-time";

test.each([
  ["0:00.04", 40],
  ["00:00:07", 7_000],
  ["  1:02.50\n", 62_500],
  ["01:00:00", 3_600_000],
  ["2-03:04:05", 183_845_000],
  ["", null],
  ["TIME", null],
])("the CPU time of ps, %j, is read", (text, expected) => {
  expect(parseCpuTime(text)).toBe(expected);
});

test("the CPU time of a process grows as it computes, and one that does not exist has none", async () => {
  const before = (await measureCpuMs(process.pid)) ?? Number.NaN;
  const { user, system } = process.cpuUsage();
  const target = user + system + 100_000;
  for (let used = 0; used < target; ) {
    const now = process.cpuUsage();
    used = now.user + now.system;
  }
  expect(await measureCpuMs(process.pid)).toBeGreaterThan(before);
  expect(await measureCpuMs(2 ** 30)).toBeNull();
});
