import type { RunSource } from "#lib/contract/run";

/** Where a run came from, in a word. */
export const RUN_SOURCE_WORDS: Record<RunSource, string> = {
  action: "API or MCP",
  webhook: "Webhook",
  schedule: "Schedule",
  manual: "Manual",
  replay: "Replay",
  test: "Test",
  dry_run: "Dry run",
};
