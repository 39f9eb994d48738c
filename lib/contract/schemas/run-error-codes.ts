import { type RunErrorReason, reasonOfCode, SPECIFIC_RUN_ERROR_REASONS } from "#lib/contract/error-reasons";
import { STEP_ERROR_CODES } from "#lib/contract/step-error";

/** Codes of `run.error`: a code of a step, or the outcome of an approval (decisions, Approvals). */
export const RUN_ERROR_CODES = [...STEP_ERROR_CODES, "APPROVAL_REJECTED", "APPROVAL_EXPIRED"] as const;
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];
/** Every value of a run error's `reason`: the codes' own, then the specific ones. */
export const RUN_ERROR_REASON_NAMES: readonly RunErrorReason[] = [
  ...RUN_ERROR_CODES.map(reasonOfCode),
  ...SPECIFIC_RUN_ERROR_REASONS,
];
