"use client";

import { KeyRound, LogIn, PencilLine, PlugZap, Trash2, Wrench } from "lucide-react";
import type { ReactElement } from "react";
import { DropdownMenu, MenuItem } from "@/components/ui/overlays/dropdown-menu";

interface ConnectionMenuProps {
  onChoose: (action: "test" | "tools" | "rename" | "replace" | "delete") => void;
  /** Whether the connection is to a server that offers tools. */
  hasTools: boolean;
  /** Whether the connection was created by signing in at its service. */
  onSignIn?: (() => void) | undefined;
  trigger: ReactElement;
  isInitiallyOpen: boolean;
}

export function ConnectionMenu({ onChoose, hasTools, onSignIn, ...menu }: ConnectionMenuProps) {
  return (
    <DropdownMenu {...menu}>
      <MenuItem icon={PlugZap} onSelect={() => onChoose("test")}>
        Test
      </MenuItem>
      {hasTools ? (
        <MenuItem icon={Wrench} onSelect={() => onChoose("tools")}>
          Tools
        </MenuItem>
      ) : null}
      <MenuItem icon={PencilLine} onSelect={() => onChoose("rename")}>
        Rename…
      </MenuItem>
      {onSignIn === undefined ? (
        <MenuItem icon={KeyRound} onSelect={() => onChoose("replace")}>
          Replace credentials…
        </MenuItem>
      ) : (
        <MenuItem icon={LogIn} onSelect={onSignIn}>
          Sign in again
        </MenuItem>
      )}
      <MenuItem icon={Trash2} isDestructive onSelect={() => onChoose("delete")}>
        Delete…
      </MenuItem>
    </DropdownMenu>
  );
}
