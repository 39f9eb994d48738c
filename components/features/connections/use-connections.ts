"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import type { CircuitObject, ConnectionObject } from "#lib/contract/connection";
import { LIMITS } from "#lib/contract/limits";
import type { Page } from "#lib/contract/page";
import { callOperation } from "@/components/api/call-operation";
import { operationKey, useOperation } from "@/components/api/operation-hooks";

/** The forms change with the product's version alone. */
const KINDS_STALE_MS = 3_600_000;

const UNSETTLED_REFRESH_MS = 3_000;

/** Events of one of its connections cannot be received, or are being asked for. */
function isUnsettled({ data }: Page<ConnectionObject>): boolean {
  return data.some(({ listeners }) => listeners.some(({ status }) => status !== "active"));
}

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
    // What is asked of a service is answered within seconds; a settled list changes by what people do here.
    refetchInterval: ({ state }) => (state.data?.pages.some(isUnsettled) ? UNSETTLED_REFRESH_MS : false),
  });
  return { query, connections: query.data?.pages.flatMap((page) => page.data) ?? [] };
}

/** An outage begins and ends by itself, and takes a minute or more. */
const CIRCUITS_REFRESH_MS = 3_000;

/** The connectors whose calls are paused, as it is now. */
export function useCircuits(): readonly CircuitObject[] {
  return useOperation("list_circuits", {}, { refetchInterval: CIRCUITS_REFRESH_MS }).data?.data ?? [];
}

/** What connections can be made to. */
export function useConnectionKinds() {
  return useOperation("list_connection_kinds", {}, { staleTime: KINDS_STALE_MS });
}
