"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import type { Page } from "#lib/contract/wire/page";
import { callOperation } from "@/components/api/call-operation";
import { operationKey } from "@/components/api/operation-hooks";

type Listed = "list_members" | "list_invites";
/** A mail takes seconds; one that was refused waits longer than anyone stays on the page. */
const MAIL_LOOK_MS = 3_000;
type Item<K extends Listed> = WebOperations[K]["output"]["data"][number];

/** Returns all members, or all invites, loaded so far. */
export function useMemberPages<K extends Listed>(name: K) {
  const query = useInfiniteQuery({
    queryKey: operationKey(name),
    queryFn: async ({ pageParam, signal }): Promise<Page<Item<K>>> =>
      callOperation(
        name,
        { limit: LIST_LIMITS.pageSizeMax, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ) as Promise<Page<Item<K>>>,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isOnItsWay)) ? MAIL_LOOK_MS : false,
  });
  return { query, items: query.data?.pages.flatMap((page) => page.data) ?? [] };
}

function isOnItsWay(item: Item<Listed>): boolean {
  return "mail" in item && item.mail === "waiting" && item.mail_error === null;
}
