"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import type { KeyListObject } from "#lib/contract/web/web";
import { callOperation } from "@/components/api/call-operation";
import { operationKey } from "@/components/api/operation-hooks";
import { isFreshReplacement } from "@/components/features/keys/derive-rotation";

/** The poll interval while a rotation waits for a key to be used. */
const ROTATION_MS = 5_000;

/**
 * Returns all keys loaded so far, newest first, with the plan's quota; `isFull` means that no further key can be
 * created.
 */
export function useKeyPages() {
  const query = useInfiniteQuery({
    queryKey: operationKey("list_keys"),
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        "list_keys",
        { limit: LIST_LIMITS.pageSizeMax, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => {
      const nowMs = Date.now();
      const isWaiting = state.data?.pages.some((page) => page.data.some((key) => isFreshReplacement(key, nowMs)));
      return isWaiting ? ROTATION_MS : false;
    },
  });
  const quota: KeyListObject["quota"] | undefined = query.data?.pages[0]?.quota;
  const isFull = quota !== undefined && quota.limit !== null && quota.used >= quota.limit;
  return { query, quota, isFull, keys: query.data?.pages.flatMap((page) => page.data) ?? [] };
}
