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
} from "#lib/contract/schemas/publish-schema";

/** What a change of the input schema does to a field that a caller sends, or does not send. */
export type AffectedField = z.output<typeof affectedFieldSchema>;

/**
 * A key or a person that called the action lately, or another workflow that runs it as a published step, and what of it
 * a new schema would refuse or ignore.
 */
export type AffectedCaller = z.output<typeof affectedCallerSchema>;

export type CallerReport = z.output<typeof callerReportSchema>;

/** One field of a step's configuration, before and after. */
export type FieldChange = z.output<typeof fieldChangeSchema>;

export type ChangedNode = z.output<typeof changedNodeSchema>;

/** How two definitions differ; where steps stand on the canvas does not count. */
export type GraphChanges = z.output<typeof graphChangesSchema>;

/** A difference between two output schemas: for information, since callers only read it. */
export type OutputChange = z.output<typeof outputChangeSchema>;

/** What the deploy dialog shows before anything is published. */
export type PublishPreview = z.output<typeof publishPreviewSchema>;

/** Two versions of a workflow, or a version and the draft, side by side. */
export type VersionComparison = z.output<typeof versionComparisonSchema>;
