"use client";

import { Check, Save, Settings2, User, Users } from "lucide-react";
import type { ReactElement } from "react";
import type { SavedView } from "#lib/contract/run/run-list";
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/overlays/dropdown-menu";

interface ViewsMenuProps {
  trigger: ReactElement;
  isInitiallyOpen: boolean;
  views: readonly SavedView[];
  /** The view that the page shows. */
  shown: SavedView | undefined;
  onChoose: (view: SavedView) => void;
  onSave: () => void;
  onManage: () => void;
}

export function ViewsMenu({ views, shown, onChoose, onSave, onManage, ...menu }: ViewsMenuProps) {
  const groups = [
    { label: "My views", views: views.filter((view) => !view.is_shared) },
    { label: "Workspace views", views: views.filter((view) => view.is_shared) },
  ].filter((group) => group.views.length > 0);
  return (
    <DropdownMenu {...menu} className="max-w-72">
      {groups.map((group) => (
        <div key={group.label}>
          <MenuLabel>{group.label}</MenuLabel>
          {group.views.map((view) => (
            <MenuItem
              key={view.view_id}
              icon={view.view_id === shown?.view_id ? Check : view.is_shared ? Users : User}
              onSelect={() => onChoose(view)}
            >
              <span className="truncate">{view.name}</span>
            </MenuItem>
          ))}
        </div>
      ))}
      {groups.length === 0 ? null : <MenuSeparator />}
      <MenuItem icon={Save} onSelect={onSave}>
        Save this view…
      </MenuItem>
      {groups.length === 0 ? null : (
        <MenuItem icon={Settings2} onSelect={onManage}>
          Manage views…
        </MenuItem>
      )}
    </DropdownMenu>
  );
}
