import type { z } from "zod";
import type {
  affectedCallerSchema,
  affectedFieldSchema,
  callerReportSchema,
  changedNodeSchema,
  fieldChangeSchema,
  graphChangesSchema,
  outputChangeSchema,
  publishPreviewSchema,
  versionComparisonSchema,
} from "#lib/contract/action/publish-schema";

/** The effect of a change of the input schema on a field that a caller sends or omits. */
export type AffectedField = z.output<typeof affectedFieldSchema>;

/**
 * A recent caller of the action (a key, a person, or a workflow that runs it as a published step), with the fields that
 * a new schema would reject or ignore.
 */
export type AffectedCaller = z.output<typeof affectedCallerSchema>;

export type CallerReport = z.output<typeof callerReportSchema>;

/** One field of a step's configuration, before and after. */
export type FieldChange = z.output<typeof fieldChangeSchema>;

export type ChangedNode = z.output<typeof changedNodeSchema>;

/** The difference between two definitions; the position of steps on the canvas does not count. */
export type GraphChanges = z.output<typeof graphChangesSchema>;

/** A difference between two output schemas. It is only informative, because callers only read the output. */
export type OutputChange = z.output<typeof outputChangeSchema>;

/** What the publish dialog shows before anything is published. */
export type PublishPreview = z.output<typeof publishPreviewSchema>;

/** The comparison of two versions of a workflow, or of a version and the draft. */
export type VersionComparison = z.output<typeof versionComparisonSchema>;
