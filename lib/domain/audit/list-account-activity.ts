import type { Page } from "#lib/contract/wire/page";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { AUDIT_ROW, AUDIT_SELECT, presentAuditEvent } from "#lib/domain/audit/present-audit-event";
import { bigint, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

const selectPage = defineStatement({
  name: "list_account_activity",
  params: {
    userId: text,
    after: nullable(timestamptz),
    afterId: nullable(uuid),
    limit: bigint,
  },
  row: AUDIT_ROW,
  // A membership also has the user as its object, but concerns a workspace.
  sql: `select ${AUDIT_SELECT} from audit_events
        where object_type = 'user' and object_id = $1 and starts_with(action, 'user.')
          and ($2::timestamptz is null or (at, id) < ($2, $3))
        order by at desc, id desc limit $4`,
  isPrepared: false,
});

/**
 * Lists the sign-ins and security changes of one person's account, newest first, including what an admin or the
 * operator did to it.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listAccountActivity(
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<AuditEventObject>> {
  const filters = { list: "account_activity", userId };
  const after = cursor === undefined ? null : decodeCursor(cursor, filters);
  const rows = await selectPage.all(db(), {
    userId,
    after: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: limit + 1,
  });
  return toPage(rows, limit, filters, (row) => ({ createdAt: row.at, id: row.id }), presentAuditEvent);
}
