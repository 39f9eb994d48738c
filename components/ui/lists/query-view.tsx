"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState } from "@/components/ui/lists/error-state";

interface QueryViewProps<T> {
  query: Pick<UseQueryResult<T, Error>, "data" | "error" | "isPending" | "isFetching" | "refetch">;
  /** Shown while loading, in the size of the content. */
  skeleton: ReactNode;
  /** "Couldn't load the runs." */
  errorTitle: string;
  children: (data: T) => ReactNode;
}

/** Renders a query that is loading, has failed or has data. Old data is better than an error. */
export function QueryView<T>({ query, skeleton, errorTitle, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return skeleton;
  return (
    <ErrorState
      title={errorTitle}
      error={query.error}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  );
}
