"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { LIMITS } from "#lib/contract/limits";
import { callOperation } from "@/components/api/call-operation";
import { operationKey, useOperation } from "@/components/api/operation-hooks";

/** The forms change with the product's version alone. */
const KINDS_STALE_MS = 3_600_000;

/** All connections read so far, newest first. */
export function useConnectionPages() {
  const query = useInfiniteQuery({
    queryKey: operationKey("list_connections"),
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        "list_connections",
        { limit: LIMITS.pageSizeMax, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  return { query, connections: query.data?.pages.flatMap((page) => page.data) ?? [] };
}

/** What connections can be made to. */
export function useConnectionKinds() {
  return useOperation("list_connection_kinds", {}, { staleTime: KINDS_STALE_MS });
}
