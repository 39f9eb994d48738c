"use client";

import { RotateCw } from "lucide-react";
import { formatTime } from "#lib/support/format/format-moment";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/words/relative-time";

interface RetryListenersProps {
  connectionId: string;
  failingSince: string | null;
  retryAt: string | null;
}

/** Shows since when the events of a connection fail, when the next retry is, and a button to retry now. */
export function RetryListeners({ connectionId, failingSince, retryAt }: RetryListenersProps) {
  const canEdit = useHasRole("editor");
  const retry = useOperationMutation("retry_listeners", { invalidates: ["list_connections", "get_trigger"] });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-dense whitespace-normal text-text-3">
      <p suppressHydrationWarning>
        {failingSince === null ? null : (
          <>
            Started failing <RelativeTime at={failingSince} />.{" "}
          </>
        )}
        {retryAt === null ? null : `Next retry at ${formatTime(retryAt)}.`}
      </p>
      {canEdit ? (
        <Button size="sm" isBusy={retry.isPending} onClick={() => retry.mutate({ connection_id: connectionId })}>
          <RotateCw aria-hidden className="size-3.5" />
          Try now
        </Button>
      ) : null}
      {retry.error === null ? null : (
        <p role="alert" className="w-full text-err">
          {retry.error.message}
        </p>
      )}
    </div>
  );
}
