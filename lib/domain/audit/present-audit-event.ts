import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { ACTOR_TYPES } from "#lib/domain/audit/record-audit";
import { enumOf, jsonb, nullable, type RowOf, text, timestamptz, uuid } from "#lib/platform/db/column-types";

export const AUDIT_ROW = {
  id: uuid,
  at: timestamptz,
  actor_type: enumOf(ACTOR_TYPES),
  actor_id: nullable(uuid),
  actor_name: nullable(text),
  action: text,
  object_type: text,
  object_id: nullable(text),
  details: jsonb<JsonObject>(),
};

export const AUDIT_SELECT = Object.keys(AUDIT_ROW).join(", ");

export function presentAuditEvent(row: RowOf<typeof AUDIT_ROW>): AuditEventObject {
  return {
    event_id: row.id,
    at: row.at.toISOString(),
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action,
    object_type: row.object_type,
    object_id: row.object_id,
    details: row.details,
  };
}
