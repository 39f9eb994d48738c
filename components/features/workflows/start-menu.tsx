"use client";

import { FileUp, LayoutTemplate } from "lucide-react";
import type { ReactElement } from "react";
import { Link } from "@/components/ui/link";
import { DropdownMenu, MenuItem } from "@/components/ui/overlays/dropdown-menu";

interface StartMenuProps {
  onImport: () => void;
  trigger: ReactElement;
  isInitiallyOpen: boolean;
}

/** The other ways to create a workflow, in a menu when there is no room for buttons. */
export function StartMenu({ onImport, ...menu }: StartMenuProps) {
  return (
    <DropdownMenu {...menu}>
      <MenuItem asChild>
        <Link href="/templates">
          <LayoutTemplate aria-hidden className="size-4" strokeWidth={1.75} />
          Templates
        </Link>
      </MenuItem>
      <MenuItem icon={FileUp} onSelect={onImport}>
        Import…
      </MenuItem>
    </DropdownMenu>
  );
}
