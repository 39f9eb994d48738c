import { LIMITS } from "#lib/contract/limits";
import type { Gate, GateDecision } from "#lib/core/engine/ports";
import { sanitize } from "#lib/core/redaction/sanitize";
import { openApproval } from "#lib/domain/approvals/open-approval";
import { presentApproval } from "#lib/domain/approvals/present-approval";
import { lockLease } from "#lib/domain/journal/lock-lease";
import { transaction } from "#lib/platform/db/pool";
import { storableJson } from "#lib/support/json";

/**
 * Reads the decision at a gate of a run that this worker has claimed, and opens its request the first time (contract,
 * Journal: step_pending_approval; decisions, Approvals). A gate is identified by run, node and iteration, so each has
 * its own request.
 * @returns null while the request is open
 * @throws LeaseLost if this worker no longer has the run: it was cancelled, or the request expired
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

/** Sanitized as in the journal, because everyone who may read runs reads this too. */
function storableText(message: string): string {
  return JSON.parse(storableJson(sanitize(message.slice(0, LIMITS.commentCharacters))));
}
