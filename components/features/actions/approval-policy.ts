import type { ApprovalPolicy } from "#lib/contract/action/action";

/** The short label and the full description of each approval policy. */
export const APPROVAL_POLICY_WORDS: Record<ApprovalPolicy, { short: string; long: string }> = {
  never: { short: "Runs immediately", long: "Calls run without approval." },
  always: { short: "Needs approval", long: "Every call waits up to one hour for approval." },
};
