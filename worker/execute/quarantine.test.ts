import { openSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { openQuarantine, quarantineOneMore } from "#worker/execute/quarantine";

const { execPath } = process;
afterEach(() => {
  process.execPath = execPath;
});

test("a quarantine worker that fails to start is started again when it is needed, and does not delay a stop", async () => {
  const told: string[] = [];
  const onStart = vi.fn();
  const report = (text: string) => void told.push(text);
  const quarantine = openQuarantine({ env: process.env, log: openSync("/dev/null", "a"), report, onStart });
  process.execPath = "/nowhere/node";
  for (const times of [1, 2]) {
    quarantine.ensure();
    await eventually(() => expect(told.filter((text) => text.includes("ENOENT"))).toHaveLength(times));
    expect(onStart).toHaveBeenCalledTimes(times);
  }
  quarantine.ensure();
  await quarantine.stop(0);
});

test("workers that ask again while a quarantine worker starts do not start another one", () => {
  const places = [1, 2, 3].map((pid) => {
    const place = { isRunning: false, isReady: false };
    const one = {
      pid: () => (place.isRunning ? pid : undefined),
      hasSpoken: () => place.isReady,
      ensure: () => {
        place.isRunning = true;
      },
    };
    return { place, one };
  });
  const running = () => places.filter(({ place }) => place.isRunning).length;
  const ask = () => quarantineOneMore(places.map(({ one }) => one));
  for (let times = 0; times < 3; times += 1) ask();
  expect(running()).toBe(1);
  for (const { place } of places) place.isReady = place.isRunning;
  for (let times = 0; times < 3; times += 1) ask();
  expect(running()).toBe(2);
});
