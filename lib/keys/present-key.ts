import type { Scope } from "#lib/contract/scopes";
import type { KeyObject } from "#lib/contract/web";

/** A row of api_keys as reading it gives it, with its creator's name. */
export interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  action_slugs: string[] | null;
  created_by_name: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

/** What may be read of a key: everything but its salt and its hash. */
export const KEY_COLUMNS = `k.id, k.name, k.prefix, k.scopes, k.action_slugs, k.created_at, k.expires_at, k.revoked_at,
  k.last_used_at, (select u.name from users u where u.id = k.created_by) as created_by_name`;

/** contract, API key states: revoked for good, expired when its date has passed, else active. */
export function presentKey(row: KeyRow, now: Date): KeyObject {
  return {
    key_id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    action_slugs: row.action_slugs,
    status: statusOf(row, now),
    created_by: row.created_by_name,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

function statusOf(row: KeyRow, now: Date): KeyObject["status"] {
  if (row.revoked_at) return "revoked";
  return row.expires_at && row.expires_at <= now ? "expired" : "active";
}
