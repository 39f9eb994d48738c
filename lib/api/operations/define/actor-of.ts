import type { Caller } from "#lib/api/operations/define/caller";
import type { Actor } from "#lib/domain/audit/record-audit";

/** Returns the caller as the audit log and an approval's decided_by show it. */
export function actorOf(caller: Caller): Actor {
  return caller.kind === "user"
    ? { type: "user", id: caller.userId, name: caller.name }
    : { type: "api_key", id: caller.keyId, name: caller.name };
}
