import type { RunObject } from "#lib/contract/run/run";
import { waitForRun } from "#lib/domain/runs/notify/wait-for-run";
import type { Subscription } from "#lib/domain/triggers/subscription";

const READING = { steps: "summary", withEvents: false, actionSlugs: null } as const;

/**
 * Waits for the run that a delivery started, like `waitForRun`. A wait takes one of the places of its address, so no sender
 * uses up those of others.
 */
export async function waitForDelivery(
  { id, workspaceId }: Pick<Subscription, "id" | "workspaceId">,
  runId: string,
  seconds: number,
): Promise<RunObject> {
  const waiting = { callerId: id, timeoutMs: seconds * 1_000 };
  return (await waitForRun(workspaceId, runId, waiting, READING)).run;
}
