import type { JsonObject } from "#lib/contract/json-schema";
import type { Page } from "#lib/contract/page";
import type { AuditEventObject } from "#lib/contract/workspace";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

interface AuditRow {
  id: string;
  at: Date;
  actor_type: AuditEventObject["actor"]["type"];
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  object_type: string;
  object_id: string | null;
  details: JsonObject;
}

interface AuditQuery {
  limit: number;
  cursor?: string | undefined;
  /** The id of a person or a key, or `system`. */
  actor?: string | undefined;
  /** One action, or its noun for all of the noun. */
  action?: string | undefined;
}

/** What was done in a workspace, newest first. @throws ApiError BAD_REQUEST for a cursor of other filters */
export async function listAuditEvents(workspaceId: string, query: AuditQuery): Promise<Page<AuditEventObject>> {
  const { limit, cursor, actor = null, action = null } = query;
  const filters = { list: "audit", workspaceId, actor, action };
  const after = cursor === undefined ? null : decodeCursor(cursor, filters);
  const { rows } = await db().query<AuditRow>({
    text: `select id, at, actor_type, actor_id, actor_name, action, object_type, object_id, details from audit_events
           where workspace_id = $1
             and ($2::timestamptz is null or (at, id) < ($2, $3))
             and ($4::text is null or case when $4 = 'system' then actor_type = 'system' else actor_id::text = $4 end)
             and ($5::text is null or action = $5 or starts_with(action, $5 || '.'))
           order by at desc, id desc limit $6`,
    values: [workspaceId, after?.createdAt ?? null, after?.id ?? null, actor, action, limit + 1],
  });
  return toPage(rows, limit, filters, (row) => ({ createdAt: row.at, id: row.id }), presentAuditEvent);
}

function presentAuditEvent(row: AuditRow): AuditEventObject {
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
