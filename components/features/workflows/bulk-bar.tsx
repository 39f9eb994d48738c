"use client";

import { Archive, ArchiveRestore, Download, Tag } from "lucide-react";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { formatCount } from "#lib/support/format/format-number";
import type { WorkflowAct } from "@/components/features/workflows/workflow-menu";
import { Button } from "@/components/ui/button";

interface BulkBarProps {
  chosen: readonly WorkflowObject[];
  onAct: (act: WorkflowAct) => void;
  onClear: () => void;
}

/** The actions for several selected workflows. Stays at the bottom of the screen while the list scrolls. */
export function BulkBar({ chosen, onAct, onClear }: BulkBarProps) {
  const areArchived = chosen.every((workflow) => workflow.archived_at !== null);
  return (
    <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-border bg-raised px-4 py-2 shadow-2">
      <span role="status" className="mr-2 font-medium">
        {formatCount(chosen.length, "workflow selected", "workflows selected")}
      </span>
      <Button size="sm" onClick={() => onAct("tag")}>
        <Tag aria-hidden className="size-3.5" />
        Tags…
      </Button>
      <Button size="sm" onClick={() => onAct("export")}>
        <Download aria-hidden className="size-3.5" />
        Export
      </Button>
      {areArchived ? (
        <Button size="sm" onClick={() => onAct("restore")}>
          <ArchiveRestore aria-hidden className="size-3.5" />
          Restore
        </Button>
      ) : (
        <Button size="sm" onClick={() => onAct("archive")}>
          <Archive aria-hidden className="size-3.5" />
          Archive…
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
