"use client";

import { RotateCw, Slash } from "lucide-react";
import type { ReactElement } from "react";
import type { KeyObject } from "#lib/contract/web";
import { DropdownMenu, MenuItem } from "@/components/ui/dropdown-menu";

interface KeyMenuProps {
  subject: KeyObject;
  onRotate: (key: KeyObject) => void;
  onRevoke: (key: KeyObject) => void;
  trigger: ReactElement;
  isInitiallyOpen: boolean;
}

export function KeyMenu({ subject, onRotate, onRevoke, ...menu }: KeyMenuProps) {
  return (
    <DropdownMenu {...menu}>
      {subject.status === "active" ? (
        <MenuItem icon={RotateCw} onSelect={() => onRotate(subject)}>
          Rotate…
        </MenuItem>
      ) : null}
      <MenuItem icon={Slash} isDestructive onSelect={() => onRevoke(subject)}>
        Revoke…
      </MenuItem>
    </DropdownMenu>
  );
}
