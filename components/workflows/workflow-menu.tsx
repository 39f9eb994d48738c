"use client";

import { Pencil, Trash2, Zap } from "lucide-react";
import Link from "next/link";
import type { ReactElement } from "react";
import type { WorkflowObject } from "#lib/contract/workflow";
import { DropdownMenu, MenuItem } from "@/components/ui/dropdown-menu";

interface WorkflowMenuProps {
  workflow: WorkflowObject;
  /** Null when the person may not delete. */
  onDelete: ((workflow: WorkflowObject) => void) | null;
  trigger: ReactElement;
  isInitiallyOpen: boolean;
}

export function WorkflowMenu({ workflow, onDelete, ...menu }: WorkflowMenuProps) {
  return (
    <DropdownMenu {...menu}>
      <MenuItem asChild>
        <Link href={`/workflows/${workflow.workflow_id}`}>
          <Pencil aria-hidden className="size-4" strokeWidth={1.75} />
          Open in the canvas
        </Link>
      </MenuItem>
      {workflow.action === null ? null : (
        <MenuItem asChild>
          <Link href={`/actions/${workflow.action.slug}`}>
            <Zap aria-hidden className="size-4" strokeWidth={1.75} />
            Open the action
          </Link>
        </MenuItem>
      )}
      {onDelete === null ? null : (
        <MenuItem icon={Trash2} isDestructive onSelect={() => onDelete(workflow)}>
          Delete…
        </MenuItem>
      )}
    </DropdownMenu>
  );
}
