import { isWaiting } from "#lib/contract/run";
import { openPolicyApprovals } from "#lib/domain/approvals/open-policy-approvals";
import type { ApprovalRow } from "#lib/domain/approvals/present-approval";
import { type DescribedRun, type InsertedRun, insertRuns } from "#lib/domain/runs/create/insert-run";
import type { Db } from "#lib/platform/db/pool";

export interface WrittenRun {
  inserted: InsertedRun;
  /** The approval request, if the run waits for one. */
  approval: ApprovalRow | null;
}

/**
 * Writes runs in the caller's transaction, together with the approval requests of those that wait for one: one or two
 * round trips, however many runs.
 * @returns what became of each, in the same order
 */
export async function writeRuns(tx: Db, described: readonly DescribedRun[]): Promise<WrittenRun[]> {
  if (described.length === 0) return [];
  const all = await insertRuns(tx, described);
  const held = all.flatMap((inserted) =>
    inserted.outcome === "created" && isWaiting(inserted.row.status) ? [inserted.row] : [],
  );
  const approvals = await openPolicyApprovals(tx, held);
  return all.map((inserted) => ({
    inserted,
    approval: inserted.outcome === "created" ? (approvals.get(inserted.row.id) ?? null) : null,
  }));
}
