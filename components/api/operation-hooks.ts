"use client";

import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { callOperation } from "@/components/api/call-operation";

type Operation = keyof WebOperations;
type Input<K extends Operation> = WebOperations[K]["input"];
type Output<K extends Operation> = WebOperations[K]["output"];

/** The cache key of an operation; without an input, of every answer that operation has given. */
export function operationKey<K extends Operation>(name: K, input?: Input<K>): QueryKey {
  return input === undefined ? [name] : [name, input];
}

interface QueryOptions<T> {
  /** What the page came with; asked for anew once it is stale. */
  initialData?: T;
  enabled?: boolean;
  staleTime?: number;
  refetchInterval?: number | false | ((data: T | undefined) => number | false);
  /** Keep showing the former answer while the input changes: paging and filters without a flash. */
  keepPrevious?: boolean;
}

/** An operation that reads, as server state. */
export function useOperation<K extends Operation>(
  name: K,
  input: Input<K>,
  options: QueryOptions<Output<K>> = {},
): UseQueryResult<Output<K>, Error> {
  const { refetchInterval, keepPrevious, initialData, ...rest } = options;
  return useQuery<Output<K>, Error, Output<K>>({
    queryKey: operationKey(name, input),
    queryFn: ({ signal }) => callOperation(name, input, { signal }),
    ...rest,
    ...(initialData === undefined ? {} : { initialData: () => initialData }),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(refetchInterval === undefined
      ? {}
      : {
          refetchInterval:
            typeof refetchInterval === "function" ? (query) => refetchInterval(query.state.data) : refetchInterval,
        }),
  });
}

interface MutationOptions<K extends Operation> extends Pick<UseMutationOptions, "gcTime" | "networkMode"> {
  /** Operations whose cached answers are stale afterwards. */
  invalidates?: readonly Operation[];
  /** Waited for: what it throws is the mutation's error. */
  onSuccess?: (output: Output<K>, input: Input<K>) => unknown;
}

/** An operation that changes something. */
export function useOperationMutation<K extends Operation>(
  name: K,
  { invalidates = [], onSuccess, ...rest }: MutationOptions<K> = {},
): UseMutationResult<Output<K>, Error, Input<K>> {
  const queryClient = useQueryClient();
  return useMutation<Output<K>, Error, Input<K>>({
    mutationKey: [name],
    mutationFn: (input) => callOperation(name, input),
    onSuccess: async (output, input) => {
      await onSuccess?.(output, input);
      await invalidateOperations(queryClient, invalidates);
    },
    ...rest,
  });
}

export async function invalidateOperations(queryClient: QueryClient, names: readonly Operation[]): Promise<void> {
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: operationKey(name) })));
}
