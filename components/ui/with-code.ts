import { toast } from "@/components/ui/toast";

/**
 * Loads the code of a shortcut, a command or a menu entry and starts it. Its page has usually loaded the code already,
 * after what it shows first.
 * @param failure is shown when the code cannot be loaded
 */
export async function withCode<Code>(
  load: () => Promise<Code>,
  failure: string,
  start: (code: Code) => unknown,
): Promise<void> {
  const code = await load().catch(() => null);
  if (code === null) toast.error(`${failure} Reload the page and try again.`);
  else await start(code);
}
