"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { LIMITS } from "#lib/contract/limits";
import type { KeyListObject, KeyObject } from "#lib/contract/web";
import { callOperation } from "@/components/api/call-operation";
import { operationKey } from "@/components/api/operation-hooks";

/** While a rotation waits for the use of a key. */
const ROTATION_MS = 5_000;

const isReplacement = (key: KeyObject) => key.replaces !== null && key.status === "active";

/** All keys read so far, newest first, with the plan's quota; `isFull` says that no further key can be created. */
export function useKeyPages() {
  const query = useInfiniteQuery({
    queryKey: operationKey("list_keys"),
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        "list_keys",
        { limit: LIMITS.pageSizeMax, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some(isReplacement)) ? ROTATION_MS : false,
  });
  const quota: KeyListObject["quota"] | undefined = query.data?.pages[0]?.quota;
  const isFull = quota !== undefined && quota.limit !== null && quota.used >= quota.limit;
  return { query, quota, isFull, keys: query.data?.pages.flatMap((page) => page.data) ?? [] };
}
