import { effectiveScopes, SCOPES } from "#lib/contract/key/scopes";
import type { KeyObject } from "#lib/contract/wire/web";
import { isActiveKey } from "#lib/domain/workspaces/is-active-key";
import { array, enumOf, json, nullable, type RowOf, text, timestamptz, uuid } from "#lib/platform/db/column-types";

/** The types of KEY_COLUMNS. */
export const KEY_ROW = {
  id: uuid,
  name: text,
  prefix: text,
  scopes: array(enumOf(SCOPES)),
  action_slugs: nullable(array(text)),
  created_at: timestamptz,
  expires_at: nullable(timestamptz),
  revoked_at: nullable(timestamptz),
  last_used_at: nullable(timestamptz),
  created_by_name: text,
  /** The key that it is meant to replace, while that one works. */
  replaces: nullable(json<{ key_id: string; prefix: string; last_used_at: string | null }>()),
};
/** A row of api_keys, with its creator's name. */
export type KeyRow = RowOf<typeof KEY_ROW>;

/** The columns of a key that may be read: everything except its salt and its hash. */
export const KEY_COLUMNS = `k.id, k.name, k.prefix, k.scopes, k.action_slugs, k.created_at, k.expires_at, k.revoked_at,
  k.last_used_at, (select u.name from users u where u.id = k.created_by) as created_by_name,
  (select json_build_object('key_id', o.id, 'prefix', o.prefix, 'last_used_at', o.last_used_at) from api_keys o
   where o.id = k.rotated_from_id and ${isActiveKey("o")})
  as replaces`;

/** Derives the status (contract, API keys): revoked forever, expired when its date has passed, otherwise active. */
export function presentKey(row: KeyRow, now: Date): KeyObject {
  return {
    key_id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: effectiveScopes(row.scopes, row.action_slugs),
    action_slugs: row.action_slugs,
    status: statusOf(row, now),
    created_by: row.created_by_name,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    replaces: row.replaces && { ...row.replaces, last_used_at: toIso(row.replaces.last_used_at) },
  };
}

/** Converts the time to the format of the wire: PostgreSQL writes times into JSON differently. */
function toIso(at: string | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function statusOf(row: KeyRow, now: Date): KeyObject["status"] {
  if (row.revoked_at) return "revoked";
  return row.expires_at && row.expires_at <= now ? "expired" : "active";
}
