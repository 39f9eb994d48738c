"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { isTerminal, type RunObject } from "#lib/contract/run/run";
import { callOperation } from "@/components/api/call-operation";
import { operationKey } from "@/components/api/operation-hooks";

/** The first page, with the running steps that most runs have, is refreshed more often. */
const REFRESH_MS = 10_000;

/** Returns a very large run with the steps loaded so far, and what loads the next ones. */
export function useMoreSteps(run: RunObject) {
  const cursor = run.steps_page?.next_cursor ?? null;
  const [isWanted, setWanted] = useState(false);
  const input = { run_id: run.run_id, steps: "summary" as const };
  const query = useInfiniteQuery({
    queryKey: operationKey("get_run_status", { ...input, steps_cursor: cursor ?? "" }),
    queryFn: ({ pageParam, signal }) =>
      callOperation("get_run_status", { ...input, steps_cursor: pageParam ?? "" }, { signal }),
    initialPageParam: cursor,
    getNextPageParam: (page) => page.steps_page?.next_cursor ?? null,
    enabled: isWanted && cursor !== null,
    refetchInterval: isTerminal(run.status) ? false : REFRESH_MS,
  });
  const pages = query.data?.pages;
  const loaded = useMemo(
    () => (pages === undefined ? run : { ...run, steps: [...run.steps, ...pages.flatMap((page) => page.steps)] }),
    [run, pages],
  );
  return {
    run: loaded,
    more: {
      hasNextPage: cursor !== null && (pages === undefined || query.hasNextPage),
      isFetchingNextPage: query.isFetching && (pages === undefined || query.isFetchingNextPage),
      fetchNextPage: async () => (pages === undefined && !query.isError ? setWanted(true) : query.fetchNextPage()),
    },
  };
}
