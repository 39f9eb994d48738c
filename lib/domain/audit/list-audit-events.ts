import type { Page } from "#lib/contract/wire/page";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { AUDIT_ROW, AUDIT_SELECT, presentAuditEvent } from "#lib/domain/audit/present-audit-event";
import { bigint, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

const selectPage = defineStatement({
  name: "list_audit_events",
  params: {
    workspaceId: uuid,
    after: nullable(timestamptz),
    afterId: nullable(uuid),
    actor: nullable(text),
    action: nullable(text),
    limit: bigint,
  },
  row: AUDIT_ROW,
  sql: `select ${AUDIT_SELECT} from audit_events
        where workspace_id = $1
          and ($2::timestamptz is null or (at, id) < ($2, $3))
          and ($4::text is null or case when $4 = 'system' then actor_type = 'system' else actor_id::text = $4 end)
          and ($5::text is null or action = $5 or starts_with(action, $5 || '.'))
        order by at desc, id desc limit $6`,
  isPrepared: false,
});

interface AuditQuery {
  limit: number;
  cursor?: string | undefined;
  /** The id of a person or a key, or `system`. */
  actor?: string | undefined;
  /** One action, or its noun for all actions on that noun. */
  action?: string | undefined;
}

/**
 * Lists the audit events of a workspace, newest first.
 * @throws ApiError BAD_REQUEST for a cursor of other filters
 */
export async function listAuditEvents(workspaceId: string, query: AuditQuery): Promise<Page<AuditEventObject>> {
  const { limit, cursor, actor = null, action = null } = query;
  const filters = { list: "audit", workspaceId, actor, action };
  const after = cursor === undefined ? null : decodeCursor(cursor, filters);
  const rows = await selectPage.all(db(), {
    workspaceId,
    after: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    actor,
    action,
    limit: limit + 1,
  });
  return toPage(rows, limit, filters, (row) => ({ createdAt: row.at, id: row.id }), presentAuditEvent);
}
