import { openApproval } from "#lib/approvals/open-approval";
import { presentApproval } from "#lib/approvals/present-approval";
import { LIMITS } from "#lib/contract/limits";
import { transaction } from "#lib/db/transaction";
import type { Gate, GateDecision } from "#lib/engine/ports";
import { lockLease } from "#lib/journal/lock-lease";
import { sanitize } from "#lib/redaction/sanitize";
import { storableJson } from "#lib/support/storable-json";

/**
 * Asks for the decision at a gate of a run that this worker holds, opening its request the first time (contract, Journal
 * events: step_pending_approval; decisions, Approval). A gate is its run, node and iteration, so each has its own.
 * @returns null while nobody has decided
 * @throws LeaseLost when the run is no longer ours: it was cancelled, or the request expired
 */
export async function openGate(
  run: { workspaceId: string; lease: { runId: string; token: number } },
  { nodeId, iteration, message }: Gate,
): Promise<GateDecision | null> {
  const { runId } = run.lease;
  const row = await transaction(async (tx) => {
    await lockLease(tx, run.lease);
    const text = message === null ? null : storableText(message);
    return openApproval(tx, { workspaceId: run.workspaceId, runId, kind: "gate", nodeId, iteration, message: text });
  });
  const { status, comment, decided_by: decidedBy } = presentApproval(row);
  if (status !== "approved" && status !== "rejected") return null;
  return { isApproved: status === "approved", comment, decidedBy };
}

/** As the journal would hold it: whoever may read runs reads this too. */
function storableText(message: string): string {
  return JSON.parse(storableJson(sanitize(message.slice(0, LIMITS.commentCharacters))));
}
