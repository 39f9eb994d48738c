"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ClientError } from "@/components/api/client-error";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { ErrorState } from "@/components/ui/lists/error-state";
import { PageHeader } from "@/components/ui/lists/page-header";

interface DetailFailureProps {
  query: Pick<UseQueryResult<unknown, Error>, "error" | "isFetching" | "refetch">;
  /** What the page shows: "action". */
  noun: string;
  /** The title, if one exists that could not be loaded. */
  title: string;
  /** The list that contains it. */
  list: { label: string; href: string };
  /** The start of the sentence that says which name or id was not found. */
  children: ReactNode;
}

/** The page of a single object that does not exist or could not be loaded. */
export function DetailFailure({ query, noun, title, list, children }: DetailFailureProps) {
  // The server refuses an impossible id as invalid; for a user who followed a link it is the same as not found.
  const isMissing = query.error instanceof ClientError && [400, 404].includes(query.error.status);
  return (
    <>
      <PageHeader title={isMissing ? "Not found" : title} trail={[list]} />
      {isMissing ? (
        <EmptyState
          title={`This ${noun} doesn't exist`}
          action={
            <Button asChild>
              <Link href={list.href}>All {list.label.toLowerCase()}</Link>
            </Button>
          }
        >
          {children}
        </EmptyState>
      ) : (
        <ErrorState
          title={`Couldn't load the ${noun}.`}
          error={query.error}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      )}
    </>
  );
}
