import { ADMIN_MAIL_EVENTS, type EventAttempt } from "#lib/contract/event/outbound-event";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { ROLES } from "#lib/contract/workspace/roles";
import type { ClaimedDelivery } from "#lib/domain/outbound-events/deliveries/claim-deliveries";
import { attemptOf } from "#lib/domain/outbound-events/deliveries/deliver-webhook";
import type { SendMail } from "#lib/domain/outbound-events/mail/mailer";
import { writeMail } from "#lib/domain/outbound-events/mail/write-mail";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { array, bigint, enumOf, jsonb, type RowOf, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** Members who may decide are notified; of some events, only those who manage the workspace. */
const DECIDING_ROLES = ROLES.slice(ROLES.indexOf("approver"));
const MANAGING_ROLES = ROLES.slice(ROLES.indexOf("admin"));
const ADMIN_EVENTS: ReadonlySet<string> = new Set(ADMIN_MAIL_EVENTS);
const GROUP_MAX = 500;

const GROUPED_EVENT = { id: uuid, type: text, data: jsonb<JsonObject>(), createdAt: timestamptz };
type GroupedEvent = RowOf<typeof GROUPED_EVENT>;

const selectGroup = defineStatement({
  name: "find_mail_group",
  params: { endpointId: uuid, key: text, id: uuid, limit: bigint },
  row: GROUPED_EVENT,
  sql: `select id, type, data, created_at as "createdAt" from event_deliveries
        where endpoint_id = $1 and status = 'pending' and group_key = $2 and id <> $3
        order by next_attempt_at limit $4`,
});

const markGroupSent = defineStatement({
  name: "close_mail_group",
  params: { endpointId: uuid, key: text, ids: array(uuid) },
  sql: `with sent as (
          insert into event_mail_groups (endpoint_id, group_key, sent_at) values ($1, $2, clock_timestamp())
          on conflict (endpoint_id, group_key) do update set sent_at = excluded.sent_at)
        update event_deliveries set status = 'succeeded', completed_at = clock_timestamp()
        where id = any($3) and status = 'pending'`,
});

const selectRecipients = defineStatement({
  name: "find_mail_recipients",
  params: { workspaceId: uuid, roles: array(enumOf(ROLES)) },
  row: { email: text, timeZone: text },
  sql: `select u.email, w.time_zone as "timeZone"
        from workspace_members m join users u on u.id = m.user_id join workspaces w on w.id = m.workspace_id
        where m.workspace_id = $1 and m.role = any($2) order by u.email`,
});

/** Emails the members, each in a separate message; the delivery succeeds if one was accepted. Never throws. */
export async function deliverMail(delivery: ClaimedDelivery, send: SendMail | null): Promise<EventAttempt> {
  const startedAt = new Date();
  if (send === null) return attemptOf(startedAt, null, "No mail server is set (SMTP_URL).");
  try {
    const first = { type: delivery.type, data: delivery.data, createdAt: delivery.created_at };
    const others = await findGroup(delivery);
    const failures: string[] = [];
    const roles = ADMIN_EVENTS.has(delivery.type) ? MANAGING_ROLES : DECIDING_ROLES;
    const recipients = await selectRecipients.all(db(), { workspaceId: delivery.workspace_id, roles });
    for (const { email: to, timeZone } of recipients) {
      const mail = writeMail([first, ...others], { baseUrl: env().PUBLIC_BASE_URL, timeZone });
      await send({ to, ...mail }).catch((error: Error) => failures.push(error.message));
    }
    const isLost = recipients.length > 0 && failures.length === recipients.length;
    if (failures.length > 0) log.warn({ failures: failures.length, of: recipients.length }, "an email was refused");
    if (!isLost) await closeGroup(delivery, others);
    return attemptOf(startedAt, null, isLost ? (failures[0] ?? "refused") : null);
  } catch (error) {
    return attemptOf(startedAt, null, (error as Error).message);
  }
}

/** The other waiting events of the group go into the same email. */
async function findGroup({ id, endpoint_id: endpointId, group_key: key }: ClaimedDelivery): Promise<GroupedEvent[]> {
  if (key === null) return [];
  return selectGroup.all(db(), { endpointId, key, id, limit: GROUP_MAX });
}

/** Completes the events that were sent along; the group then waits for a quarter of an hour. */
async function closeGroup(
  { endpoint_id: endpointId, group_key: key }: ClaimedDelivery,
  others: readonly GroupedEvent[],
) {
  if (key === null) return;
  await markGroupSent.run(db(), { endpointId, key, ids: others.map((other) => other.id) });
}
