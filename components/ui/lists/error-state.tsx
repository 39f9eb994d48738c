"use client";

import { RotateCw, TriangleAlert } from "lucide-react";
import { ClientError } from "@/components/api/client-error";
import { Button } from "@/components/ui/button";

interface ErrorStateProps {
  /** What failed: "Couldn't load the runs." */
  title: string;
  error: Error | null;
  onRetry?: () => void;
  isRetrying?: boolean;
}

/** Shows what failed, the request id for support, and a button to try again. */
export function ErrorState({ title, error, onRetry, isRetrying = false }: ErrorStateProps) {
  const requestId = error instanceof ClientError ? error.requestId : null;
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-16 text-center">
      <span className="mb-2 flex size-10 items-center justify-center rounded-3 bg-err-bg text-err">
        <TriangleAlert aria-hidden className="size-5" strokeWidth={1.5} />
      </span>
      <h2 className="text-title font-semibold">{title}</h2>
      {error === null ? null : <p className="text-text-2">{error.message}</p>}
      {requestId === null ? null : (
        <p className="text-dense text-text-3">
          Request <code className="font-mono">{requestId}</code>
        </p>
      )}
      {onRetry === undefined ? null : (
        <Button className="mt-3" onClick={onRetry} isBusy={isRetrying}>
          {isRetrying ? null : <RotateCw aria-hidden className="size-3.5" />}
          Try again
        </Button>
      )}
    </div>
  );
}
