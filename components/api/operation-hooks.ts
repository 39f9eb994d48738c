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

/** Returns the cache key of an operation; without an input, the key of all its answers. */
export function operationKey<K extends Operation>(name: K, input?: Input<K>): QueryKey {
  return input === undefined ? [name] : [name, input];
}

interface QueryOptions<T> {
  /** Data that came with the page; fetched again once it is stale. */
  initialData?: T;
  enabled?: boolean;
  staleTime?: number;
  refetchInterval?: number | false | ((data: T | undefined) => number | false);
  /** Keeps showing the previous answer while the input changes, so that paging and filters don't flash. */
  keepPrevious?: boolean;
}

/** Runs an operation that reads. */
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
  /** Operations whose cached answers become stale. */
  invalidates?: readonly Operation[];
  /** Awaited: an error that it throws is the error of the mutation. */
  onSuccess?: (output: Output<K>, input: Input<K>) => unknown;
}

/** Runs an operation that changes something. */
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
