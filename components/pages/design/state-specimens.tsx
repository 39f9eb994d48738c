"use client";

import { Workflow } from "lucide-react";
import { useState } from "react";
import { ClientError } from "@/components/api/client-error";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { ErrorState } from "@/components/ui/lists/error-state";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { ProgressBar } from "@/components/ui/progress-bar";

const FAILURE = new ClientError("INTERNAL_ERROR", "The request failed on our side. Try again.", {
  status: 500,
  requestId: "0199b7c2-5a31",
});

/** The three states of a query next to its data. */
export function StateSpecimens() {
  const [tries, setTries] = useState(0);
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <div className="rounded-3 border border-border bg-surface">
        <EmptyState
          icon={Workflow}
          title="No workflows yet"
          action={
            <Button variant="primary" asChild>
              <Link href="/templates">Start from a template</Link>
            </Button>
          }
        >
          A workflow that is published becomes an action that agents can call.
        </EmptyState>
      </div>
      <div className="rounded-3 border border-border bg-surface">
        <ErrorState
          title={tries === 0 ? "Couldn't load the runs." : "Still couldn't load the runs."}
          error={FAILURE}
          onRetry={() => setTries(tries + 1)}
        />
      </div>
      <div className="rounded-3 border border-border bg-surface p-4">
        <QueryView
          query={{ data: undefined, error: null, isPending: true, isFetching: true, refetch: rejectAll }}
          errorTitle="Couldn't load the usage."
          skeleton={
            <div className="flex flex-col gap-3">
              <LoadingLabel>Loading</LoadingLabel>
              <ProgressBar label="Reading the document" value={40} max={100} />
              <Skeleton className="h-5 w-40" />
              <Skeleton className="h-3.5 w-full" />
              <Skeleton className="h-3.5 w-3/4" />
            </div>
          }
        >
          {() => null}
        </QueryView>
      </div>
    </div>
  );
}

/** No request is made: the page shows the loading state. */
async function rejectAll(): Promise<never> {
  throw FAILURE;
}
