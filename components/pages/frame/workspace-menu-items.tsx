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

/** The user's workspaces, their settings, and a new workspace. */
export function WorkspaceMenuItems({ onCreate, ...menu }: WorkspaceMenuItemsProps) {
  const { workspace } = useSession();
  const { data, error } = useOperation("list_workspaces", {});
  const router = useRouter();
  // Until the answer comes, the known workspace is listed, so that the menu only grows.
  const options = (data?.data ?? [workspace]).map(({ workspace_id, name }) => ({ value: workspace_id, label: name }));
  function choose(workspaceId: string) {
    if (workspaceId === workspace.workspace_id) return;
    enterWorkspace(workspaceId).catch(() => toast("You're no longer a member of this workspace."));
  }
  return (
    <DropdownMenu {...menu} align="start" className="w-60">
      <MenuLabel>{error === null ? "Your workspaces" : "Your other workspaces couldn't be loaded."}</MenuLabel>
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
