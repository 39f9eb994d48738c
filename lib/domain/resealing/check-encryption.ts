import { openPatientPool } from "#lib/domain/resealing/open-patient-pool";
import { openColumns } from "#lib/domain/resealing/reseal-columns";
import { openDefinitions } from "#lib/domain/resealing/reseal-definitions";
import { countAllUnreadable, countByPlace } from "#lib/domain/resealing/resealed";

/** What the keys of this process can decrypt. */
export interface EncryptionReport {
  /** The values that can be decrypted, by place. */
  readable: Record<string, number>;
  /** The values that cannot be decrypted, by place; empty if all is well. */
  unreadable: Record<string, number>;
  /** The ids of the keys that sealed the unreadable values. */
  unreadable_keys: string[];
}

/** Decrypts everything in the database with ENCRYPTION_KEYS, and changes nothing. No instance has to run on it. */
export async function checkEncryption(): Promise<EncryptionReport> {
  const pool = openPatientPool();
  const open = async () => [...(await openColumns(pool)), { place: "definitions", ...(await openDefinitions(pool)) }];
  const places = await open().finally(() => pool.end());
  return {
    readable: countByPlace(places, ({ readable }) => readable),
    unreadable: countByPlace(places, countAllUnreadable),
    unreadable_keys: [...new Set(places.flatMap(({ unreadable }) => [...unreadable.keys()]))],
  };
}
