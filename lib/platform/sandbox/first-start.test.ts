import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { useBrokenStarts } from "#lib/platform/child-pool/broken-starts.fixture";
import { findConfinement } from "#lib/platform/child-pool/find-confinement";

const starts = useBrokenStarts();
const { prefix } = await findConfinement();
const isLimited = prefix.some((part) => part.endsWith("/prlimit"));

/** A process that has not started a child yet. */
async function freshStart() {
  vi.resetModules();
  const { startChild } = await import("#lib/platform/sandbox/start-child");
  return async () => {
    const child = await startChild();
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
}

/** Whether the system limits a process as it limits children of the sandbox. */
const isConfined = ({ pid }: { pid?: number | undefined }) =>
  /^Max file size +0 +0 /m.test(readFileSync(`/proc/${pid}/limits`, "utf8"));

describe.runIf(isLimited)("the first child of a process", () => {
  test("keeps the isolation for all children, if the system kills it while it starts", async () => {
    const start = await freshStart();
    starts.breakNext("killed_at_start", 2);
    for (const _ of [1, 2]) await expect(start()).rejects.toMatchObject({ isOwnExit: false });
    expect(starts.left()).toBe(0);
    expect(isConfined(await start())).toBe(true);
    starts.breakNext("killed_at_start", 1);
    await expect(start()).rejects.toMatchObject({ isOwnExit: false });
    expect(isConfined(await start())).toBe(true);
  });

  test("keeps the isolation for all children, if it ends by itself after another one has started with it", async () => {
    const start = await freshStart();
    expect(isConfined(await start())).toBe(true);
    starts.breakNext("ends_if_confined", 1);
    await expect(start()).rejects.toMatchObject({ isOwnExit: true });
    expect(isConfined(await start())).toBe(true);
  });

  test("runs without isolation only if it cannot start with it", async () => {
    const start = await freshStart();
    starts.breakNext("ends_if_confined", 1);
    expect(isConfined(await start())).toBe(false);
    expect(starts.left()).toBe(0);
  });
});

test("code runs with its own result, although the system kills the first processes for it", async () => {
  vi.resetModules();
  const { runUserCode } = await import("#lib/platform/sandbox/run-user-code");
  starts.breakNext("killed_at_start", 3);
  const { signal } = new AbortController();
  const source = "return input.a + 1";
  expect(await runUserCode({ workspaceId: "w", source, input: { a: 1 }, timeoutMs: 30_000, signal })).toMatchObject({
    value: 2,
  });
  expect(starts.left()).toBe(0);
});
