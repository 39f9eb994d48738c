import type { ApprovalRequestObject, ApprovalStatus, InboxView } from "#lib/contract/approval";
import type { Page } from "#lib/contract/page";
import { presentRequest, REQUEST_COLUMNS, REQUEST_TABLES, type RequestRow } from "#lib/domain/approvals/request-row";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

/** A single status is compared by itself: only then does its index give the rows in their order. */
const CONDITIONS: Record<InboxView, string> = {
  pending: "a.status = 'pending'",
  decided: "a.status in ('approved', 'rejected', 'cancelled')",
  expired: "a.status = 'expired'",
} satisfies Record<InboxView, `${string}${ApprovalStatus}${string}`>;

interface InboxPage {
  view: InboxView;
  limit: number;
  cursor?: string | undefined;
}

/**
 * One part of a workspace's inbox. What waits comes oldest first, which is what expires first; the rest newest first.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listApprovals(
  workspaceId: string,
  { view, limit, cursor }: InboxPage,
): Promise<Page<ApprovalRequestObject>> {
  const filters = { list: "approvals", workspaceId, view };
  const after = cursor === undefined ? null : decodeCursor(cursor, filters);
  const [sign, order] = view === "pending" ? [">", "asc"] : ["<", "desc"];
  const { rows } = await db().query<RequestRow>({
    name: `list_approvals_${view}`,
    text: `select ${REQUEST_COLUMNS} from ${REQUEST_TABLES}
           where a.workspace_id = $1 and ${CONDITIONS[view]}
             and ($2::timestamptz is null or (a.requested_at, a.id) ${sign} ($2, $3::uuid))
           order by a.requested_at ${order}, a.id ${order} limit $4`,
    values: [workspaceId, after?.createdAt ?? null, after?.id ?? null, limit + 1],
  });
  const keysetOf = ({ approval }: RequestRow) => ({ createdAt: new Date(approval.requested_at), id: approval.id });
  return toPage(rows, limit, filters, keysetOf, presentRequest);
}
