import { timingSafeEqual } from "node:crypto";
import { KEY_PREFIX_LENGTH, KEY_SALT_BYTES, RAW_KEY_PATTERN } from "#lib/contract/api-key";
import { hashKey } from "#lib/domain/keys/hash-key";
import { bytea, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { remember } from "#lib/support/remember";

const KEY_IDENTITY = { id: uuid, salt: bytea, secret_hash: bytea };
/**
 * The part of a key that never changes, and may therefore be cached in the process. Whether it is active is never
 * cached.
 */
type KeyIdentity = RowOf<typeof KEY_IDENTITY>;

const selectIdentities = defineStatement({
  name: "find_key_identities",
  params: { prefix: text },
  row: KEY_IDENTITY,
  sql: "select id, salt, secret_hash from api_keys where prefix = $1",
});

/** Identities that have matched once, by prefix; the oldest are dropped first. */
const known = new Map<string, KeyIdentity[]>();
const KNOWN_MAX = 10_000;

/** Compared if no key has the prefix, so that an unknown prefix costs as much as a wrong secret. */
const DUMMY: KeyIdentity = { id: "", salt: Buffer.alloc(KEY_SALT_BYTES), secret_hash: Buffer.alloc(32) };

/**
 * Finds the key that a secret belongs to, including revoked and expired ones: `takeRequest` reports their state, and
 * only to a caller who has the secret.
 * @returns the key's id, or null if no key has this secret
 */
export async function verifyKey(rawKey: string): Promise<string | null> {
  if (!RAW_KEY_PATTERN.test(rawKey)) return null;
  const recalled = recallKey(rawKey);
  // Continues with the table: another key may have received the same prefix since.
  if (recalled !== null) return recalled;
  const prefix = rawKey.slice(0, KEY_PREFIX_LENGTH);
  const rows = await selectIdentities.all(db(), { prefix });
  const id = matchingId(rows.length > 0 ? rows : [DUMMY], rawKey);
  if (id !== null) remember(known, prefix, rows, KNOWN_MAX);
  return id;
}

/** Returns what `verifyKey` would, without the database: null also for a key that this process has not seen. */
export function recallKey(rawKey: string): string | null {
  const remembered = known.get(rawKey.slice(0, KEY_PREFIX_LENGTH));
  return remembered ? matchingId(remembered, rawKey) : null;
}

/** Compares with every candidate, each in constant time, without stopping at the first match. */
function matchingId(candidates: readonly KeyIdentity[], rawKey: string): string | null {
  let match: string | null = null;
  for (const candidate of candidates) {
    const isEqual = timingSafeEqual(hashKey(candidate.salt, rawKey), candidate.secret_hash);
    if (isEqual && candidate !== DUMMY) match = candidate.id;
  }
  return match;
}
