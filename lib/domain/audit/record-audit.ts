import type { JsonObject } from "#lib/contract/json-schema";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

/** Who did it. `system` is the service itself: a sweeper, the command line. */
export interface Actor {
  type: "user" | "api_key" | "system";
  id: string | null;
  name: string | null;
}

interface AuditEvent {
  /** Null for what happens outside any workspace. */
  workspaceId: string | null;
  actor: Actor;
  /** noun.verb_in_the_past, e.g. `key.revoked`. */
  action: string;
  objectType: string;
  objectId: string | null;
  /** Never a secret. */
  details?: JsonObject;
}

/** Writes one audit row in the transaction of the change it tells about: neither exists without the other. */
export async function recordAudit(tx: Db, event: AuditEvent): Promise<void> {
  await tx.query({
    name: "record_audit",
    text: `insert into audit_events (id, workspace_id, actor_type, actor_id, actor_name, action, object_type, object_id, details)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      uuidv7(),
      event.workspaceId,
      event.actor.type,
      event.actor.id,
      event.actor.name,
      event.action,
      event.objectType,
      event.objectId,
      JSON.stringify(event.details ?? {}),
    ],
  });
}
