"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { InboxView } from "#lib/contract/approval/approval";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import { invalidateOperations, useOperation } from "@/components/api/operation-hooks";
import { useCoalesced } from "@/components/api/use-coalesced";
import { useRunChanges } from "@/components/api/use-run-changes";

/** Runs can change a hundred times a second; the inbox is refetched at most this often. */
const REFRESH_MS = 2_000;
const POLL_MS = 15_000;
/** With the stream, in case a notification was lost. */
const STREAMED_POLL_MS = 60_000;

/**
 * Refreshes the inbox queries while runs change.
 * @returns how often to poll in addition
 */
function useInboxChanges(names: readonly ("list_approvals" | "get_approval" | "count_approvals")[]): number {
  const queryClient = useQueryClient();
  const refresh = useCoalesced(() => void invalidateOperations(queryClient, names), REFRESH_MS);
  return useRunChanges(refresh) ? STREAMED_POLL_MS : POLL_MS;
}

const LIST = ["list_approvals"] as const;
const DETAIL = ["get_approval"] as const;
const COUNT = ["count_approvals"] as const;

/** Returns one page of one view of the inbox. */
export function useInbox(view: InboxView, cursor: string | null) {
  const refetchInterval = useInboxChanges(LIST);
  const input = { view, limit: LIST_LIMITS.pageSizeDefault, ...(cursor === null ? {} : { cursor }) };
  return useOperation("list_approvals", input, { refetchInterval, keepPrevious: true });
}

export function useApproval(approvalId: string) {
  const refetchInterval = useInboxChanges(DETAIL);
  return useOperation(
    "get_approval",
    { approval_id: approvalId },
    { refetchInterval: (data) => (data === undefined || data.status === "pending" ? refetchInterval : false) },
  );
}

/** Returns how many requests are pending, for the navigation; undefined until that is known. */
export function usePendingCount(): number | undefined {
  const refetchInterval = useInboxChanges(COUNT);
  return useOperation("count_approvals", {}, { refetchInterval }).data?.pending;
}
