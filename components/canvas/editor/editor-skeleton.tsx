import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";

/** The editor's shape while the draft is on its way: bar, canvas and two cards where they will stand. */
export function EditorSkeleton() {
  return (
    <div className="flex h-dvh flex-col">
      <LoadingLabel>Loading the workflow</LoadingLabel>
      <div className="flex h-bar shrink-0 items-center gap-3 border-b border-border px-4">
        <Skeleton className="h-4 w-20" />
        <Skeleton className="h-4 w-40" />
        <Skeleton className="ml-auto h-8 w-24" />
      </div>
      <div className="flex flex-1 flex-col items-center justify-center gap-14 bg-canvas">
        <Skeleton className="h-20 w-[280px] rounded-3" />
        <Skeleton className="h-20 w-[280px] rounded-3" />
      </div>
    </div>
  );
}
