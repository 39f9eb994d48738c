import { ApiError } from "#lib/contract/error/api-error";
import { forgetKey, requireStartedKey } from "#lib/domain/resealing/check-encryption-keys";
import { openPatientPool } from "#lib/domain/resealing/open-patient-pool";
import { resealColumns } from "#lib/domain/resealing/reseal-columns";
import { resealDefinitions } from "#lib/domain/resealing/reseal-definitions";
import { countAllUnreadable, countByPlace, type PlaceResealed } from "#lib/domain/resealing/resealed";
import { nullable, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { IS_LIVE_WORKER } from "#lib/platform/db/live-worker";
import { type Db, db } from "#lib/platform/db/pool";
import { encryptionKeys } from "#lib/platform/secrets/seal";

export interface ResealReport {
  /** The id of the key that seals everything now. */
  key: string;
  /** The values that were sealed again, by place. */
  resealed: Record<string, number>;
  /** The values that cannot be decrypted and were left unchanged, by place; empty if all is well. */
  unreadable: Record<string, number>;
  /** Keys that ENCRYPTION_KEYS no longer has to contain. */
  unneeded_keys: string[];
}

/**
 * Seals everything in the database with the current key, the first of ENCRYPTION_KEYS, while the instance runs. It can
 * be stopped and started again at any time.
 * @throws ApiError BAD_REQUEST if no instance was started with that first key, or a worker still seals with another
 */
export async function resealValues(): Promise<ResealReport> {
  const { currentId, masters } = encryptionKeys();
  await requireStartedKey();
  await requireWorkersOnKey(currentId);
  const pool = openPatientPool();
  // A second pass finds what a web server that still has the old first key has sealed meanwhile.
  const passes = async () => [await resealPlaces(pool), await resealPlaces(pool)] as const;
  const [first, second] = await passes().finally(() => pool.end());
  const isOldKeyInUse = second.some(({ resealed }) => resealed > 0);
  const left = new Set(second.flatMap(({ unreadable }) => [...unreadable.keys()]));
  const unneeded = isOldKeyInUse ? [] : [...masters.keys()].filter((id) => id !== currentId && !left.has(id));
  for (const id of unneeded) await forgetKey(id);
  return {
    key: currentId,
    resealed: countByPlace(first, ({ resealed }) => resealed),
    unreadable: countByPlace(second, countAllUnreadable),
    unneeded_keys: unneeded,
  };
}

const selectOtherWorker = defineStatement({
  name: "find_worker_on_another_key",
  params: { keyId: text },
  row: { host: text, key_id: nullable(text) },
  sql: `select host, key_id from worker_heartbeats
        where ${IS_LIVE_WORKER} and key_id is distinct from $1 limit 1`,
  isPrepared: false,
});

/** Each machine runs its workers next to its web server, and both have the same keys. */
async function requireWorkersOnKey(currentId: string): Promise<void> {
  const other = await selectOtherWorker.first(db(), { keyId: currentId });
  if (!other) return;
  throw new ApiError(
    "BAD_REQUEST",
    `A worker on ${other.host} still seals with ${other.key_id === null ? "another key" : `the key "${other.key_id}"`}. Put "${currentId}" first in ENCRYPTION_KEYS on that machine and restart its processes.`,
  );
}

async function resealPlaces(pool: Db): Promise<PlaceResealed[]> {
  return [...(await resealColumns(pool)), { place: "definitions", ...(await resealDefinitions()) }];
}
