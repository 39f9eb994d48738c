"use client";

import { Plus, Settings } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ReactElement } from "react";
import { useOperation } from "@/components/api/operation-hooks";
import { enterWorkspace } from "@/components/shell/enter-workspace";
import { useSession } from "@/components/shell/session-context";
import {
  DropdownMenu,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuSeparator,
} from "@/components/ui/overlays/dropdown-menu";
import { toast } from "@/components/ui/toast";

interface WorkspaceMenuItemsProps {
  trigger: ReactElement;
  isInitiallyOpen: boolean;
  onCreate: () => void;
}

/** One's workspaces, their settings, and another one. */
export function WorkspaceMenuItems({ onCreate, ...menu }: WorkspaceMenuItemsProps) {
  const { workspace } = useSession();
  const { data, error } = useOperation("list_workspaces", {});
  const router = useRouter();
  // Until the answer is there, the one that is known: the menu only grows.
  const options = (data?.data ?? [workspace]).map(({ workspace_id, name }) => ({ value: workspace_id, label: name }));
  function choose(workspaceId: string) {
    if (workspaceId === workspace.workspace_id) return;
    enterWorkspace(workspaceId).catch(() => toast("You do not belong to this workspace any more."));
  }
  return (
    <DropdownMenu {...menu} align="start" className="w-60">
      <MenuLabel>{error === null ? "Your workspaces" : "Your other workspaces could not be loaded."}</MenuLabel>
      <MenuRadioGroup value={workspace.workspace_id} onChange={choose} options={options} />
      <MenuSeparator />
      <MenuItem icon={Settings} onSelect={() => router.push("/settings")}>
        Settings
      </MenuItem>
      <MenuItem icon={Plus} onSelect={onCreate}>
        New workspace…
      </MenuItem>
    </DropdownMenu>
  );
}
