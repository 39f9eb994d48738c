import type { ApprovalRequestObject, ApprovalStatus, InboxView } from "#lib/contract/approval/approval";
import type { Page } from "#lib/contract/wire/page";
import {
  presentRequest,
  REQUEST_COLUMNS,
  REQUEST_ROW,
  REQUEST_TABLES,
  type RequestRow,
} from "#lib/domain/approvals/request-row";
import { bigint, nullable, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

const DECIDED_STATUSES = ["approved", "rejected", "cancelled"] as const satisfies ApprovalStatus[];

/** A single status is compared with `=`: only then does its index return the rows in order. */
const CONDITIONS: Record<InboxView, string> = {
  pending: "a.status = 'pending'",
  decided: `a.status in ${sqlSet(DECIDED_STATUSES)}`,
  expired: "a.status = 'expired'",
};

function defineList(view: InboxView) {
  const [sign, order] = view === "pending" ? [">", "asc"] : ["<", "desc"];
  return defineStatement({
    name: `list_approvals_${view}`,
    params: { workspaceId: uuid, afterTime: nullable(timestamptz), afterId: nullable(uuid), limit: bigint },
    row: REQUEST_ROW,
    sql: `select ${REQUEST_COLUMNS} from ${REQUEST_TABLES}
          where a.workspace_id = $1 and ${CONDITIONS[view]}
            and ($2::timestamptz is null or (a.requested_at, a.id) ${sign} ($2, $3::uuid))
          order by a.requested_at ${order}, a.id ${order} limit $4`,
  });
}

const LISTS = { pending: defineList("pending"), decided: defineList("decided"), expired: defineList("expired") };

interface InboxPage {
  view: InboxView;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Lists one part of a workspace's inbox. Open requests come oldest first, which is also what expires first; the rest
 * newest first.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listApprovals(
  workspaceId: string,
  { view, limit, cursor }: InboxPage,
): Promise<Page<ApprovalRequestObject>> {
  const filters = { list: "approvals", workspaceId, view };
  const after = cursor === undefined ? null : decodeCursor(cursor, filters);
  const rows = await LISTS[view].all(db(), {
    workspaceId,
    afterTime: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: limit + 1,
  });
  const keysetOf = ({ approval }: RequestRow) => ({ createdAt: new Date(approval.requested_at), id: approval.id });
  return toPage(rows, limit, filters, keysetOf, presentRequest);
}
