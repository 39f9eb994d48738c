/** What the catalog of the step picker and the operations in it cost. Part of `LIMITS`. */
export const CATALOG_LIMITS = {
  /**
   * decisions, Step picker: operations of a workspace's own connectors in the catalog. The browser keeps all of them in
   * its search index: 3,000 are 600 KB of JSON, 60 KB compressed. The largest OpenAPI documents have about 1,100.
   */
  catalogOperations: 3_000,
  /** decisions, Step picker: characters of the description of such an operation. The picker shows one line. */
  catalogDescriptionCharacters: 160,
  /**
   * decisions, Connectors: comparisons of values with schemas in one check of the params of a custom connector. They run
   * on a shared event loop, and schemas are those of strangers. 50,000 take 30 to 80 ms of CPU in the worst cases measured.
   */
  paramChecks: 50_000,
} as const;
