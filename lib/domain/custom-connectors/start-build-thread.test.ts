import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { watchThread } from "#lib/domain/custom-connectors/start-build-thread";

const threads: Worker[] = [];
const start = (code: string) => {
  const thread = new Worker(code, { eval: true });
  threads.push(thread);
  return thread;
};
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.terminate();
});

test("a thread that computes reaches its limit of CPU time, and one that waits does not", async () => {
  const over: string[] = [];
  const idle = start("setInterval(() => {}, 1_000)");
  const stop = watchThread(idle, 10_000, () => over.push("idle"));
  await new Promise<void>((resolve) => {
    watchThread(start("for (;;) {}"), 1_000, () => {
      over.push("computing");
      resolve();
    });
  });
  expect(over).toEqual(["computing"]);
  stop();
});
