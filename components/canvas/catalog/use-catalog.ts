"use client";

import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { callOperation } from "@/components/api/call-operation";
import { operationKey } from "@/components/api/operation-hooks";
import { buildCatalog, type StepCatalog } from "@/components/canvas/catalog/build-catalog";

/** Connections and actions change rarely, and choosing an outdated one is refused by the checks of the draft. */
const STALE_MS = 60_000;
const ACTIONS = { limit: 100 };
const NONE: never[] = [];

const appsQuery = queryOptions({
  queryKey: operationKey("list_step_catalog", {}),
  queryFn: ({ signal }) => callOperation("list_step_catalog", {}, { signal }),
  staleTime: STALE_MS,
});
const actionsQuery = queryOptions({
  queryKey: operationKey("list_actions", ACTIONS),
  queryFn: ({ signal }) => callOperation("list_actions", ACTIONS, { signal }),
  staleTime: STALE_MS,
});

export interface CatalogState {
  /** Always has the step kinds, also while the rest is loading or can't be loaded. */
  catalog: StepCatalog;
  isLoading: boolean;
  hasFailed: boolean;
  retry: () => void;
}

export function useCatalog(): CatalogState {
  const apps = useQuery(appsQuery);
  const actions = useQuery(actionsQuery);
  return {
    catalog: buildCatalog({ apps: apps.data?.data ?? NONE, actions: actions.data?.data ?? NONE }),
    isLoading: apps.isPending,
    hasFailed: apps.isError,
    retry: () => void apps.refetch(),
  };
}

/** Returns the catalog for a place that is no component. What can't be loaded is left out. */
export async function loadCatalog(queryClient: QueryClient): Promise<StepCatalog> {
  const [apps, actions] = await Promise.all([
    queryClient.ensureQueryData(appsQuery).catch(() => ({ data: NONE })),
    queryClient.ensureQueryData(actionsQuery).catch(() => ({ data: NONE })),
  ]);
  return buildCatalog({ apps: apps.data, actions: actions.data });
}
