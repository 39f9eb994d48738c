"use client";

import { ChartNoAxesColumn, RotateCw, Slash } from "lucide-react";
import type { ReactElement } from "react";
import type { KeyObject } from "#lib/contract/wire/web";
import { DropdownMenu, MenuItem } from "@/components/ui/overlays/dropdown-menu";

interface KeyMenuProps {
  subject: KeyObject;
  onChoose: (action: "usage" | "rotate" | "revoke") => void;
  trigger: ReactElement;
  isInitiallyOpen: boolean;
}

export function KeyMenu({ subject, onChoose, ...menu }: KeyMenuProps) {
  return (
    <DropdownMenu {...menu}>
      <MenuItem icon={ChartNoAxesColumn} onSelect={() => onChoose("usage")}>
        View usage
      </MenuItem>
      {subject.status === "active" ? (
        <MenuItem icon={RotateCw} onSelect={() => onChoose("rotate")}>
          Rotate…
        </MenuItem>
      ) : null}
      <MenuItem icon={Slash} isDestructive onSelect={() => onChoose("revoke")}>
        Revoke…
      </MenuItem>
    </DropdownMenu>
  );
}
