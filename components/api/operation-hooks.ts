"use client";

import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
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
    ...queryOf(name, input),
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

/** Runs an operation that reads for each input. The list of answers stays the same until one of them changes. */
export function useOperationAnswers<K extends Operation>(
  name: K,
  inputs: readonly Input<K>[],
  options: Pick<QueryOptions<Output<K>>, "staleTime">,
): readonly (Output<K> | undefined)[] {
  return useQueries({ queries: inputs.map((input) => ({ ...queryOf(name, input), ...options })), combine: answersOf });
}

function answersOf<T>(results: readonly UseQueryResult<T, Error>[]): readonly (T | undefined)[] {
  return results.map(({ data }) => data);
}

function queryOf<K extends Operation>(name: K, input: Input<K>) {
  return {
    queryKey: operationKey(name, input),
    queryFn: ({ signal }: { signal: AbortSignal }) => callOperation(name, input, { signal }),
  };
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
