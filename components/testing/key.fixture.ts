import type { KeyUsageObject } from "#lib/contract/key/key-usage";
import type { CreatedKey, KeyListObject, KeyObject } from "#lib/contract/wire/web";
import { idOf, pageOf } from "@/components/testing/page.fixture";

/** Returns an active key that may run actions. */
export function sampleKey(changes: Partial<KeyObject> = {}): KeyObject {
  return {
    key_id: idOf(1),
    name: "Support bot",
    prefix: "svc_abcd",
    scopes: ["actions:run"],
    action_slugs: null,
    status: "active",
    created_by: "Ann",
    created_at: "2026-01-05T09:00:00.000Z",
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    replaces: null,
    ...changes,
  };
}

export function createdKey(changes: Partial<CreatedKey> = {}): CreatedKey {
  return { ...sampleKey(), raw_key: "svc_abcdefghijklmnopqrstuvwxyz012345", ...changes };
}

export function keyList(keys: KeyObject[], quota: Partial<KeyListObject["quota"]> = {}): KeyListObject {
  return { ...pageOf(keys), quota: { used: keys.length, limit: 3, plan: "free", ...quota } };
}

/** Returns the usage of a key without calls. */
export function keyUsage(changes: Partial<KeyUsageObject> = {}): KeyUsageObject {
  return { window: { limit: 60, used: 0 }, operations: [], refusals: [], actions: [], ...changes };
}
