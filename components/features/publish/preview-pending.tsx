import { ErrorState } from "@/components/ui/lists/error-state";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";

/** Shown while the server checks what would be published, and when that check failed. */
export function PreviewPending({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error !== null) return <ErrorState title="Can't publish" error={error} onRetry={onRetry} />;
  return (
    <div className="flex flex-col gap-3 py-2">
      <LoadingLabel>Checking the workflow</LoadingLabel>
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-24 w-full rounded-3" />
      <Skeleton className="h-8 w-full" />
    </div>
  );
}
