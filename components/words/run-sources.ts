import type { RunSource } from "#lib/contract/run/run";

/** What started a run, in a word or two. */
export const RUN_SOURCE_WORDS: Record<RunSource, string> = {
  action: "API or MCP",
  webhook: "Webhook",
  schedule: "Schedule",
  manual: "Manual",
  replay: "Replay",
  test: "Test",
  dry_run: "Dry run",
};
