import { withCode } from "@/components/ui/with-code";

type TestCode = typeof import("@/components/canvas/testing/run-test");

/**
 * Starts a test from a shortcut or a command. The code that runs tests loads with the test panel, after the drawing.
 */
export function withTestCode(start: (code: TestCode) => Promise<void>): Promise<void> {
  return withCode(() => import("@/components/canvas/testing/run-test"), "The test couldn't be loaded.", start);
}
