import { z } from "zod";
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
