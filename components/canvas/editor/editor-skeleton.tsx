import { WORKFLOW_TRAIL } from "@/components/canvas/header/workflow-trail";
import { WorkflowTabs } from "@/components/shell/workflow-tabs";
import { PageHeader } from "@/components/ui/lists/page-header";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";

/** The editor's skeleton while the draft loads: bar, canvas and two cards in their places. */
export function EditorSkeleton({ workflowId }: { workflowId: string }) {
  return (
    <div className="flex h-dvh flex-col">
      <LoadingLabel>Loading the workflow</LoadingLabel>
      <PageHeader
        title={
          <>
            <span className="sr-only">Workflow</span>
            <Skeleton className="h-4 w-32" />
          </>
        }
        trail={WORKFLOW_TRAIL}
        actions={<Skeleton className="h-8 w-24" />}
      />
      <WorkflowTabs workflowId={workflowId} />
      <div className="flex flex-1 flex-col items-center justify-center gap-14 bg-canvas">
        <Skeleton className="h-20 w-[280px] rounded-3" />
        <Skeleton className="h-20 w-[280px] rounded-3" />
      </div>
    </div>
  );
}
