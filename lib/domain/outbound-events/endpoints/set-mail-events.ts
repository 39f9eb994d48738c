import type { EventMailObject, EventType } from "#lib/contract/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { presentMail } from "#lib/domain/outbound-events/endpoints/list-endpoints";
import { transaction } from "#lib/platform/db/transaction";
import { uuidv7 } from "#lib/support/ids";

/** Chooses what the workspace's approvers are told of by mail; nothing switches mail off. */
export async function setMailEvents(
  workspaceId: string,
  events: readonly EventType[],
  actor: Actor,
): Promise<EventMailObject> {
  return transaction(async (tx) => {
    await tx.query({
      text: `insert into event_endpoints (id, workspace_id, kind, events, is_enabled) values ($1, $2, 'email', $3, $4)
             on conflict (workspace_id) where kind = 'email'
             do update set events = excluded.events, is_enabled = excluded.is_enabled, updated_at = now()`,
      values: [uuidv7(), workspaceId, events, events.length > 0],
    });
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
