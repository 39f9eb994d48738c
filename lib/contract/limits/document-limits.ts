/** How OpenAPI documents are read and connectors are built. Part of `LIMITS`. */
export const DOCUMENT_LIMITS = {
  /**
   * decisions, Budgets: threads of a process that read OpenAPI documents. One workspace uses one of them, so a second
   * workspace never waits for the first.
   */
  documentThreads: 2,
  /** decisions, Budgets: a document and the previous build take up to 24 MiB while they wait, so 6 take 144 MiB. */
  documentsWaitingPerWorkspace: 3,
  documentsWaiting: 6,
  documentWaitMs: 10_000,
  /** decisions, Budgets: CPU time. The largest accepted YAML takes three seconds of it. */
  documentReadMs: 30_000,
  /** decisions, Budgets: time on the clock, after which the machine is too busy. */
  documentBusyMs: 120_000,
  /** decisions, Budgets: the heap of a thread. A document of 14 MB takes 200 MB. */
  documentHeapBytes: 536_870_912,
  /** decisions, Connectors: tags, operations or paths of a selection. */
  selectionNames: 200,
  /** decisions, Connectors: operations that the check of a document lists. 5,000 are 1 MB of JSON. */
  listedOperations: 5_000,
  /** decisions, Budgets: builds of a workspace that have not ended. Each stores a document of up to 1 MiB. */
  openBuilds: 20,
} as const;
