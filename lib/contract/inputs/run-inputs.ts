import { z } from "zod";
import { DECISIONS } from "#lib/contract/approval";
import { LIMITS } from "#lib/contract/limits";
import { REPLAY_MODES } from "#lib/contract/run";

export const replayRunInput = z.object({
  run_id: z.string().describe("run_id of the run to replay; it stays as it is."),
  mode: z.enum(REPLAY_MODES).optional().describe("Default: resume, or from_start for a run that succeeded."),
  step_id: z.string().max(64).optional().describe("For from_step: the first step to do again."),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("For from_start: another input. [REDACTED] values left as they are shown keep their real value."),
});

export const approveRunInput = z.looseObject({
  run_id: z.string().describe("run_id of the run."),
  decision: z
    .enum([...DECISIONS, "approve", "reject"])
    .optional()
    .describe("approved by default."),
  approved: z.boolean().optional().describe("The same as a boolean."),
  comment: z.string().trim().max(LIMITS.commentCharacters).optional().describe("Shown with the decision."),
  approval_id: z.uuid().optional().describe("approval.id of the run; needed where several are open."),
});
