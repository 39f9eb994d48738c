import { EVENT_TYPES, MAIL_EVENTS } from "#lib/contract/event/outbound-event";
import { array, enumOf } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const insertMissing = defineStatement({
  name: "ensure_mail_endpoints",
  params: { events: array(enumOf(EVENT_TYPES)) },
  sql: `insert into event_endpoints (id, workspace_id, kind, events)
        select new_uuidv7(), w.id, 'email', $1 from workspaces w
        where not exists (select 1 from event_endpoints e where e.workspace_id = w.id and e.kind = 'email')
        on conflict do nothing`,
});

/**
 * Creates the mail endpoint of every workspace, which it has until an admin chooses otherwise. Only if mail can be
 * sent: otherwise no workspace pays for the events.
 */
export async function ensureMailEndpoints(): Promise<void> {
  await insertMissing.run(db(), { events: MAIL_EVENTS });
}
