import { builtinEnvironments, type Environment } from "vitest/runtime";

const shared = globalThis as { signalboxTestWindow?: Promise<unknown> };

/**
 * Gives all test files of a process one window. Modules that outlive a file keep listening to the window that they found
 * first.
 */
const environment: Environment = {
  ...builtinEnvironments.jsdom,
  name: "one-window",
  async setup(global, options) {
    shared.signalboxTestWindow ??= Promise.resolve(builtinEnvironments.jsdom.setup(global, options));
    await shared.signalboxTestWindow;
    return { teardown() {} };
  },
};
export default environment;
