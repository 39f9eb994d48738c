/** The limits of lists and of an action's input fields, as a part of LIMITS. Pages of lists load only this part. */
export const LIST_LIMITS = {
  /** contract, Limits: runs tab. */
  runsPageSize: 20,
  /** decisions, Lists. */
  pageSizeDefault: 20,
  pageSizeMax: 100,
  /**
   * decisions, Lists: the newest errors that are counted by group. 5,000 entries of the index take 3 ms; the groups of a
   * page fit on a screen.
   */
  errorGroupRuns: 5_000,
  errorGroups: 50,
  /** decisions, Lists: views that one person, or a workspace, saved. The menu lists all of them. */
  savedViews: 50,
  savedViewNameCharacters: 60,
  savedViewFilterCharacters: 200,
  /** decisions, Publishing: old names of one input field. Three renamings in a row keep all callers. */
  inputAliases: 3,
  /** decisions, Actions: levels of fields inside fields. Deeper objects can be sent without being declared. */
  inputDepth: 5,
  /** decisions, Actions: fields of an input at all levels. A validator of 200 fields compiles in about 10 ms. */
  inputFields: 200,
} as const;
