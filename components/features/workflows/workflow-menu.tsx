"use client";

import { Archive, ArchiveRestore, Copy, Download, History, Pencil, Tag, Trash2, Zap } from "lucide-react";
import type { ReactElement } from "react";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { Link } from "@/components/ui/link";
import { DropdownMenu, MenuItem, MenuSeparator } from "@/components/ui/overlays/dropdown-menu";

/** The actions for a workflow in its row. */
export type WorkflowAct = "duplicate" | "tag" | "export" | "archive" | "restore" | "delete";

interface WorkflowMenuProps {
  workflow: WorkflowObject;
  canEdit: boolean;
  onAct: (act: WorkflowAct) => void;
  trigger: ReactElement;
  isInitiallyOpen: boolean;
}

export function WorkflowMenu({ workflow, canEdit, onAct, ...menu }: WorkflowMenuProps) {
  return (
    <DropdownMenu {...menu}>
      <MenuItem asChild>
        <Link href={`/workflows/${workflow.workflow_id}`}>
          <Pencil aria-hidden className="size-4" strokeWidth={1.75} />
          Open canvas
        </Link>
      </MenuItem>
      {workflow.action === null ? null : (
        <MenuItem asChild>
          <Link href={`/actions/${workflow.action.slug}`}>
            <Zap aria-hidden className="size-4" strokeWidth={1.75} />
            View action
          </Link>
        </MenuItem>
      )}
      {workflow.deployed_version === null ? null : (
        <MenuItem asChild>
          <Link href={`/workflows/${workflow.workflow_id}/versions`}>
            <History aria-hidden className="size-4" strokeWidth={1.75} />
            Versions
          </Link>
        </MenuItem>
      )}
      <MenuItem icon={Download} onSelect={() => onAct("export")}>
        Export as JSON
      </MenuItem>
      {canEdit ? <EditItems isArchived={workflow.archived_at !== null} onAct={onAct} /> : null}
    </DropdownMenu>
  );
}

function EditItems({ isArchived, onAct }: { isArchived: boolean; onAct: (act: WorkflowAct) => void }) {
  return (
    <>
      <MenuItem icon={Copy} onSelect={() => onAct("duplicate")}>
        Duplicate
      </MenuItem>
      <MenuItem icon={Tag} onSelect={() => onAct("tag")}>
        Tags…
      </MenuItem>
      <MenuSeparator />
      {isArchived ? (
        <MenuItem icon={ArchiveRestore} onSelect={() => onAct("restore")}>
          Restore
        </MenuItem>
      ) : (
        <MenuItem icon={Archive} onSelect={() => onAct("archive")}>
          Archive…
        </MenuItem>
      )}
      <MenuItem icon={Trash2} isDestructive onSelect={() => onAct("delete")}>
        Delete…
      </MenuItem>
    </>
  );
}
