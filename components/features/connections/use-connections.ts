"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import type { CircuitObject, ConnectionObject } from "#lib/contract/connection/connection";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import type { Page } from "#lib/contract/wire/page";
import { callOperation } from "@/components/api/call-operation";
import { operationKey, useOperation } from "@/components/api/operation-hooks";

/** The forms change only with the product's version. */
const KINDS_STALE_MS = 3_600_000;

const UNSETTLED_REFRESH_MS = 3_000;

/** Returns true if events of one of the connections cannot be received, or are still being set up. */
function isUnsettled({ data }: Page<ConnectionObject>): boolean {
  return data.some(({ listeners }) => listeners.some(({ status }) => status !== "active"));
}

/** Returns all connections loaded so far, newest first. */
export function useConnectionPages() {
  const query = useInfiniteQuery({
    queryKey: operationKey("list_connections"),
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        "list_connections",
        { limit: LIST_LIMITS.pageSizeMax, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // Listeners change within seconds while they are being set up; otherwise the list changes only when someone edits
    // it here.
    refetchInterval: ({ state }) => (state.data?.pages.some(isUnsettled) ? UNSETTLED_REFRESH_MS : false),
  });
  return { query, connections: query.data?.pages.flatMap((page) => page.data) ?? [] };
}

/** An outage starts and ends on its own, and takes a minute or more. */
const CIRCUITS_REFRESH_MS = 3_000;

/** Returns the connectors that have paused calls at the moment. */
export function useCircuits(): readonly CircuitObject[] {
  return useOperation("list_circuits", {}, { refetchInterval: CIRCUITS_REFRESH_MS }).data?.data ?? [];
}

/** Returns the connectors that connections can be created for. */
export function useConnectionKinds() {
  return useOperation("list_connection_kinds", {}, { staleTime: KINDS_STALE_MS });
}
