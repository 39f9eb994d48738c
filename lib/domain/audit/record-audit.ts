import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { AuditAction } from "#lib/contract/workspace/audit-actions";
import { enumOf, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

export const ACTOR_TYPES = ["user", "api_key", "system"] as const;

/** Who made the change. `system` is the service itself: a sweeper, or the command line. */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  id: string | null;
  name: string | null;
}

interface AuditEvent {
  /** Null for changes outside any workspace. */
  workspaceId: string | null;
  actor: Actor;
  action: AuditAction;
  objectType: string;
  objectId: string | null;
  /** Never contains a secret. */
  details?: JsonObject;
}

const insertEvent = defineStatement({
  name: "record_audit",
  params: {
    id: uuid,
    workspaceId: nullable(uuid),
    actorType: enumOf(ACTOR_TYPES),
    actorId: nullable(uuid),
    actorName: nullable(text),
    action: text,
    objectType: text,
    objectId: nullable(text),
    details: jsonb<JsonObject>(),
  },
  sql: `insert into audit_events (id, workspace_id, actor_type, actor_id, actor_name, action, object_type, object_id, details)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
});

/** Writes one audit row in the transaction of its change: neither exists without the other. */
export async function recordAudit(tx: Db, event: AuditEvent): Promise<void> {
  const { actor, details = {}, ...rest } = event;
  await insertEvent.run(tx, {
    ...rest,
    id: uuidv7(),
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    details,
  });
}
