import { afterAll } from "vitest";

const original = globalThis.setTimeout;
const started: ReturnType<typeof setTimeout>[] = [];

/**
 * Clears the timers that a file's tests left running. Libraries keep short timers after their component is gone (such
 * as a message that fades out). A timer that fires after the document is torn down fails the whole test run, although
 * no test failed.
 */
globalThis.setTimeout = new Proxy(original, {
  apply(start, self, args) {
    const timer = Reflect.apply(start, self, args);
    started.push(timer);
    return timer;
  },
});

afterAll(() => {
  globalThis.setTimeout = original;
  for (const timer of started) {
    clearTimeout(timer);
  }
});
