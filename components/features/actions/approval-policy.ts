import type { ApprovalPolicy } from "#lib/contract/action";

/** What an approval policy means for a call, short and in full. */
export const APPROVAL_POLICY_WORDS: Record<ApprovalPolicy, { short: string; long: string }> = {
  never: { short: "Runs at once", long: "A call runs without asking anybody." },
  always: { short: "Asks first", long: "Every call waits for a person's approval, for one hour at most." },
};
