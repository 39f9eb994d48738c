import { toast } from "@/components/ui/toast";

type TestCode = typeof import("@/components/canvas/testing/run-test");

/**
 * Starts a test from a shortcut or a command. The code that runs tests loads with the test panel, after the drawing.
 */
export async function withTestCode(start: (code: TestCode) => Promise<void>): Promise<void> {
  const code = await import("@/components/canvas/testing/run-test").catch(() => null);
  if (code === null) toast.error("The test couldn't be loaded. Reload the page and try again.");
  else await start(code);
}
