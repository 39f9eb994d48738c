import { setTimeout as pause } from "node:timers/promises";
import { deleteOldKeys } from "#lib/domain/repeats/delete-old-keys";
import { deleteLeftSteps } from "#lib/domain/runs/retain/delete-left-steps";
import { deleteOldRuns, RETENTION_BATCH } from "#lib/domain/runs/retain/delete-old-runs";
import { dropOldPartitions } from "#lib/domain/runs/retain/drop-old-partitions";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";

/** Between batches while there is more to delete: the runs need the disk. */
const PAUSE_MS = 200;

/** Deletes what is beyond its retention (decisions, Retention), batch by batch, until nothing is left or the worker stops. */
export async function deleteExpired(stopping: AbortSignal): Promise<void> {
  while ((await deleteBatch()) && !stopping.aborted) await pause(PAUSE_MS);
}

/** @returns whether there may be more to delete */
async function deleteBatch(): Promise<boolean> {
  const runs = await deleteOldRuns(env().RUN_RETENTION_DAYS);
  const hasMoreKeys = await deleteOldKeys();
  if (runs) log.info({ runs }, "runs beyond their retention were deleted");
  if (runs === RETENTION_BATCH || hasMoreKeys) return true;
  if (await deleteLeftSteps(env().RUN_RETENTION_DAYS)) return true;
  const partitions = await dropOldPartitions(env().AUDIT_RETENTION_DAYS);
  if (partitions.length > 0) log.info({ partitions }, "partitions beyond their retention were dropped");
  return false;
}
