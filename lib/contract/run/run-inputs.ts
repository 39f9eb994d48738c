import { z } from "zod";
import { DECISIONS } from "#lib/contract/approval/approval";
import { LIMITS } from "#lib/contract/limits";
import { REPLAY_MODES, REPLAY_VERSIONS } from "#lib/contract/run/run";

export const replayVersion = z
  .enum(REPLAY_VERSIONS)
  .describe(
    "latest runs the published version and reuses the finished steps that did not change. Defaults to same: the version " +
      "of the run.",
  );

export const replayRunInput = z.object({
  run_id: z.string().describe("The run_id of the run to replay. That run does not change."),
  mode: z.enum(REPLAY_MODES).optional().describe("Defaults to resume, or to from_start for a run that succeeded."),
  step_id: z.string().max(64).optional().describe("For from_step: the first step to run again."),
  version: replayVersion.optional(),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "For from_start or version latest: a different input. [REDACTED] values that you leave unchanged keep their real value.",
    ),
});

export const approveRunInput = z.looseObject({
  run_id: z.string().describe("The run_id of the run."),
  decision: z
    .enum([...DECISIONS, "approve", "reject"])
    .optional()
    .describe("Defaults to approved."),
  approved: z.boolean().optional().describe("The decision as a boolean."),
  comment: z.string().trim().max(LIMITS.commentCharacters).optional().describe("Shown with the decision."),
  approval_id: z.uuid().optional().describe("The approval.id of the run. Required if several requests are open."),
});
