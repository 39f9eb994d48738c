import { EVENT_TYPES, type EventMailObject, type EventType } from "#lib/contract/event/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { presentMail } from "#lib/domain/outbound-events/endpoints/list-endpoints";
import { array, boolean, enumOf, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

const upsertMailEndpoint = defineStatement({
  name: "set_mail_events",
  params: { id: uuid, workspaceId: uuid, events: array(enumOf(EVENT_TYPES)), isEnabled: boolean },
  sql: `insert into event_endpoints (id, workspace_id, kind, events, is_enabled) values ($1, $2, 'email', $3, $4)
        on conflict (workspace_id) where kind = 'email'
        do update set events = excluded.events, is_enabled = excluded.is_enabled, updated_at = now()`,
  isPrepared: false,
});

/** Sets the events that the workspace's approvers receive by email; an empty list turns email off. */
export async function setMailEvents(
  workspaceId: string,
  events: readonly EventType[],
  actor: Actor,
): Promise<EventMailObject> {
  return transaction(async (tx) => {
    await upsertMailEndpoint.run(tx, { id: uuidv7(), workspaceId, events, isEnabled: events.length > 0 });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "event_mail.changed",
      objectType: "workspace",
      objectId: workspaceId,
      details: { events: [...events] },
    });
    return presentMail(events);
  });
}
