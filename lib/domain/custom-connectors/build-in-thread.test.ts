import { afterEach, describe, expect, test, vi } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import type { ThreadAnswer } from "#lib/domain/custom-connectors/build-in-thread";
import type { BuildOrder, BuiltConnector } from "#lib/domain/custom-connectors/build-source";
import { eventually } from "#lib/support/eventually.fixture";

const ORDER: BuildOrder = {
  name: "Orders",
  baseUrl: "https://api.example.com",
  auth: "none",
  documentUrl: null,
  documentJson: null,
  documentBytes: null,
  operations: null,
  beforeJson: null,
  select: null,
};
const BUILT = { routes: [], findings: [] } as unknown as BuiltConnector;

/** A thread whose answers the test gives. */
interface Thread {
  answer(message: ThreadAnswer): void;
  isEnded: boolean;
}
const busy: Thread[] = [];

/** Loads the module with threads that only answer when the test says so. */
async function openThreads() {
  const { EventEmitter } = await import("node:events");
  vi.doMock("#lib/support/share-in-process", () => ({
    shareInProcess: (_: string, create: () => unknown) => create(),
  }));
  vi.doMock("#lib/domain/custom-connectors/start-build-thread", () => ({
    startBuildThread: async () => {
      const events = new EventEmitter();
      const thread: Thread = { isEnded: false, answer: (message) => events.emit("message", message) };
      return Object.assign(events, {
        connected: true,
        send: () => busy.push(thread) > 0,
        kill: () => {
          thread.isEnded = true;
          return true;
        },
      });
    },
  }));
  return (await import("#lib/domain/custom-connectors/build-in-thread")).buildInThread;
}

const outcomeOf = (build: Promise<unknown>) =>
  build.then(
    () => "built",
    (error: Error & { reason?: string }) => error.reason ?? error.message,
  );
const started = (count: number) => eventually(() => expect(busy).toHaveLength(count));

afterEach(() => {
  vi.useRealTimers();
  vi.resetModules();
  busy.length = 0;
});

describe("documents", () => {
  test("of one workspace are read one at a time, and another workspace does not wait for them", async () => {
    const buildInThread = await openThreads();
    const first = buildInThread("a", ORDER);
    const second = buildInThread("a", ORDER);
    const other = buildInThread("b", ORDER);
    await started(2);
    busy[1]?.answer({ isWorn: false, built: BUILT });
    await other;
    expect(busy).toHaveLength(2);
    busy[0]?.answer({ isWorn: false, built: BUILT });
    await first;
    await started(3);
    busy[2]?.answer({ isWorn: false, built: BUILT });
    expect(await second).toBe(BUILT);
  });

  test("never use more threads of a process than the limit, however many workspaces send them", async () => {
    const buildInThread = await openThreads();
    const builds = Array.from("abcdef", (workspaceId) => buildInThread(workspaceId, ORDER));
    for (let done = 0; done < builds.length; done += 1) {
      await started(Math.min(builds.length, done + LIMITS.documentThreads));
      busy[done]?.answer({ isWorn: false, built: BUILT });
      await builds[done];
    }
  });

  test("wait up to a limit per workspace and get a 429 with Retry-After beyond it", async () => {
    const buildInThread = await openThreads();
    for (let call = 0; call <= LIMITS.documentsWaitingPerWorkspace; call += 1) void buildInThread("a", ORDER);
    await expect(buildInThread("a", ORDER)).rejects.toMatchObject({
      status: 429,
      reason: "too_many_documents",
      retryAfterSeconds: expect.any(Number),
      message: expect.stringContaining(`${LIMITS.documentsWaitingPerWorkspace} OpenAPI documents`),
    });
    const other = buildInThread("b", ORDER);
    await started(2);
    busy[1]?.answer({ isWorn: false, built: BUILT });
    expect(await other).toBe(BUILT);
  });

  test("of all workspaces wait up to a limit and get a 503 with Retry-After beyond it", async () => {
    // Without this, a document that waits too long would get the same answer.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const buildInThread = await openThreads();
    const most = LIMITS.documentThreads + LIMITS.documentsWaiting;
    for (let call = 0; call < most; call += 1) void buildInThread(`workspace ${call}`, ORDER);
    await expect(buildInThread("another", ORDER)).rejects.toMatchObject({
      status: 503,
      reason: "documents_overloaded",
      retryAfterSeconds: expect.any(Number),
    });
  });

  test("that are not read in time get a 503, and the one that is being read continues", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const buildInThread = await openThreads();
    const first = buildInThread("a", ORDER);
    const second = outcomeOf(buildInThread("a", ORDER));
    await eventually(() => expect(busy).toHaveLength(1));
    vi.advanceTimersByTime(LIMITS.documentWaitMs);
    expect(await second).toBe("documents_overloaded");
    busy[0]?.answer({ isWorn: false, built: BUILT });
    expect(await first).toBe(BUILT);
  });

  test("that take too much CPU time end their thread, and the error names the limit", async () => {
    const buildInThread = await openThreads();
    const build = buildInThread("a", ORDER);
    await started(1);
    busy[0]?.answer({ isWorn: true, isOutOfTime: true });
    await expect(build).rejects.toMatchObject({
      finding: {
        code: "too_large",
        message: expect.stringContaining(`more than ${LIMITS.documentReadMs / 1_000} s of CPU time`),
      },
    });
    expect(busy[0]?.isEnded).toBe(true);
  });

  test("that are not read in time on a busy machine get a 503 that does not blame them", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const buildInThread = await openThreads();
    const build = buildInThread("a", ORDER);
    const failed = expect(build).rejects.toMatchObject({
      status: 503,
      reason: "documents_overloaded",
      retryAfterSeconds: expect.any(Number),
      message: expect.stringContaining("This machine is busy"),
    });
    await eventually(() => expect(busy).toHaveLength(1));
    vi.advanceTimersByTime(LIMITS.documentBusyMs);
    await failed;
    expect(busy[0]?.isEnded).toBe(true);
  });

  test("that take too much memory end their thread, and the error names the limit", async () => {
    const buildInThread = await openThreads();
    const build = buildInThread("a", ORDER);
    await started(1);
    busy[0]?.answer({ isWorn: true, isOutOfMemory: true });
    await expect(build).rejects.toMatchObject({
      finding: { code: "too_large", message: expect.stringContaining("more than 512 MiB of memory") },
    });
    expect(busy[0]?.isEnded).toBe(true);
  });
});
