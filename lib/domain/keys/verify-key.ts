import { createHash, timingSafeEqual } from "node:crypto";
import { KEY_PREFIX_LENGTH, KEY_SALT_BYTES, RAW_KEY_PATTERN } from "#lib/contract/key/scopes";
import { array, bytea, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { remember } from "#lib/support/sized-cache";

const KEY_IDENTITY = { id: uuid, prefix: text, salt: bytea, secret_hash: bytea };
/**
 * The part of a key that never changes, and may therefore be cached in the process. Whether it is active is never
 * cached.
 */
type KeyIdentity = RowOf<typeof KEY_IDENTITY>;

const selectIdentities = defineStatement({
  name: "find_key_identities",
  params: { prefixes: array(text) },
  row: KEY_IDENTITY,
  sql: "select id, prefix, salt, secret_hash from api_keys where prefix = any($1)",
});

/** Identities that have matched once, by prefix; the oldest are dropped first. */
const known = new Map<string, KeyIdentity[]>();
const KNOWN_MAX = 10_000;

/** Compared if no key has the prefix, so that an unknown prefix costs as much as a wrong secret. */
const DUMMY: KeyIdentity = { id: "", prefix: "", salt: Buffer.alloc(KEY_SALT_BYTES), secret_hash: Buffer.alloc(32) };

/**
 * Finds the key that a secret belongs to, including revoked and expired ones: `takeRequest` reports their state, and
 * only to a caller who has the secret.
 * @returns the key's id, or null if no key has this secret
 */
export async function verifyKey(rawKey: string): Promise<string | null> {
  const [id = null] = await verifyKeys([rawKey]);
  return id;
}

/** Does the same for several secrets, with one statement. */
export async function verifyKeys(rawKeys: readonly string[]): Promise<(string | null)[]> {
  const recalled = rawKeys.map(recallKey);
  // Continues with the table: another key may have received the same prefix since.
  const unknown = rawKeys.filter((rawKey, index) => recalled[index] === null && RAW_KEY_PATTERN.test(rawKey));
  const prefixes = [...new Set(unknown.map(prefixOf))];
  const rows = prefixes.length === 0 ? [] : await selectIdentities.all(db(), { prefixes });
  const byPrefix = Map.groupBy(rows, ({ prefix }) => prefix);
  return rawKeys.map((rawKey, index) => {
    if (!RAW_KEY_PATTERN.test(rawKey)) return null;
    return recalled[index] ?? findAmong(byPrefix.get(prefixOf(rawKey)), rawKey);
  });
}

function findAmong(identities: KeyIdentity[] | undefined, rawKey: string): string | null {
  const id = matchingId(identities ?? [DUMMY], rawKey);
  if (identities && id !== null) remember(known, prefixOf(rawKey), identities, KNOWN_MAX);
  return id;
}

function prefixOf(rawKey: string): string {
  return rawKey.slice(0, KEY_PREFIX_LENGTH);
}

/** Returns what `verifyKey` would, without the database: null also for a key that this process has not seen. */
export function recallKey(rawKey: string): string | null {
  const remembered = known.get(prefixOf(rawKey));
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

/** Hashes the salt followed by the raw key with sha256 (contract, API keys). 192 random bits need no slow hash. */
export function hashKey(salt: Uint8Array, rawKey: string): Buffer {
  return createHash("sha256").update(salt).update(rawKey).digest();
}
