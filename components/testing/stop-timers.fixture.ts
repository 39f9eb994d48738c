import { afterAll } from "vitest";

const started: ReturnType<typeof setTimeout>[] = [];

/**
 * Clears what the tests of a file left running. Libraries keep short timers after their component is gone (a message that
 * fades out), and one that fires once the document is torn down fails the whole run, though no test was wrong.
 */
globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply(start, self, args) {
    const timer = Reflect.apply(start, self, args);
    started.push(timer);
    return timer;
  },
});

afterAll(() => {
  for (const timer of started) {
    clearTimeout(timer);
  }
});
