import { Archive, CircleDot } from "lucide-react";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { Chip } from "@/components/ui/chip";

/**
 * Shows "Draft only", "Live v3", or "Live v3" with unpublished changes. Drafts have a dashed border, published versions
 * a solid one.
 */
export function WorkflowStateBadge({
  workflow,
}: {
  workflow: Pick<WorkflowObject, "deployed_version" | "has_unpublished_changes" | "archived_at">;
}) {
  if (workflow.archived_at !== null) return <Chip icon={Archive}>Archived</Chip>;
  if (workflow.deployed_version === null) return <Chip isDraft>Draft only</Chip>;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Chip tone="ok" icon={CircleDot}>
        Live v{workflow.deployed_version}
      </Chip>
      {workflow.has_unpublished_changes ? (
        <Chip isDraft title="The draft differs from the published version">
          <span className="min-[1680px]:hidden">Changed</span>
          <span className="hidden min-[1680px]:inline">Unpublished changes</span>
        </Chip>
      ) : null}
    </span>
  );
}
