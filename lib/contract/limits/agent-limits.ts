/** What a call of an agent may wait for, and how long its answer may be. Part of `LIMITS`. */
export const AGENT_LIMITS = {
  /** decisions, Reading runs: `Prefer: wait=N`, wait_for_run and wait_seconds. */
  waitSecondsMax: 25,
  /**
   * decisions, Reading runs: calls of one key that wait for runs at the same time, in one process. Each holds a request
   * open; with 1,000 requests per minute, a key can have 417. One more answers at once, as after a timeout.
   */
  waitsPerKey: 500,
  /**
   * decisions, MCP: the longest answer of a tool that no one asked to be longer. JSON has about three characters per
   * token, and clients cut at 20,000 to 25,000 tokens.
   */
  toolAnswerCharacters: 60_000,
  /** decisions, MCP: the input of a failed step in a short answer. Most are below 1,000 characters. */
  toolPayloadCharacters: 4_000,
} as const;
