/** What remote MCP servers may send, and what is kept of it. Part of `LIMITS`. */
export const MCP_LIMITS = {
  /** decisions, MCP servers: tools of one server. The largest public ones have about 100; models choose badly among more. */
  mcpTools: 200,
  /** decisions, MCP servers: answers in which a server lists its tools. Servers that use pages send 50 to 100 tools each. */
  mcpToolPages: 20,
  /** decisions, MCP servers: the length that the protocol allows for the name of a tool. */
  mcpNameCharacters: 128,
  /** decisions, MCP servers: the rest of a longer description is cut. Descriptions for models have up to 3,000. */
  mcpDescriptionCharacters: 4_000,
  /** decisions, MCP servers: the input or output schema of one tool. The largest seen have 20 KB. */
  mcpSchemaBytes: 65_536,
  /** decisions, MCP servers: the tools of a server together. One row stores them, and a picker with 3,000 reads 15 rows. */
  mcpToolListBytes: 1_048_576,
  /** decisions, MCP servers: sessions that a process keeps open, and for how long; servers forget idle ones sooner. */
  mcpSessions: 1_000,
  mcpSessionMs: 900_000,
  /** decisions, MCP servers: reading the tools of a server while a person waits, and before a publish. */
  mcpListMs: 8_000,
  /** decisions, MCP servers: how long a list of tools counts as current, unless the server says a time in this range. */
  mcpToolsFreshMs: 3_600_000,
  mcpToolsFreshMinMs: 60_000,
  mcpToolsFreshMaxMs: 86_400_000,
  /** decisions, MCP servers: how often a task is asked for its state, unless the server says a longer time. */
  mcpTaskPollMs: 500,
} as const;
