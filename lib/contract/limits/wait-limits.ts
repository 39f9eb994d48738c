/** The limits of delays, callbacks and sample events, as a part of LIMITS. */
export const WAIT_LIMITS = {
  /** decisions, Runs: the longest delay, in seconds: 30 days. A run in a delay is parked and costs one row. */
  delaySeconds: 2_592_000,
  /** decisions, Callbacks: how long a run waits for a callback: as long as the longest delay. */
  callbackSecondsMin: 1,
  callbackSecondsMax: 2_592_000,
  /** decisions, Callbacks: the body. With its headers, it must fit into the output of a step. */
  callbackBodyBytes: 524_288,
  /** decisions, Callbacks: the JSON Schema of the body, in characters; it is compiled for each delivery. */
  callbackSchemaBytes: 32_768,
  /** decisions, Callbacks: the headers that a run gets, and the length of one. */
  callbackHeaders: 30,
  callbackHeaderCharacters: 1_000,
  /** decisions, Inbound webhooks: a sample event that a person writes, and how long they wait for its answer. */
  sampleEventCharacters: 65_536,
  sampleEventMs: 10_000,
} as const;
