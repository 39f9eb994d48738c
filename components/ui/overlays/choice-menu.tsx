"use client";

import type { ReactElement } from "react";
import { DropdownMenu, MenuCheckboxItem } from "@/components/ui/overlays/dropdown-menu";

export interface ChoiceMenuProps {
  trigger: ReactElement;
  isInitiallyOpen: boolean;
  items: readonly { key: string; label: string; isChosen: boolean }[];
  onChange: (key: string, isChosen: boolean) => void;
}

/** A menu of checkboxes; it stays open while the user checks them. */
export function ChoiceMenu({ trigger, isInitiallyOpen, items, onChange }: ChoiceMenuProps) {
  return (
    <DropdownMenu align="start" trigger={trigger} isInitiallyOpen={isInitiallyOpen}>
      {items.map(({ key, label, isChosen }) => (
        <MenuCheckboxItem key={key} isChecked={isChosen} onChange={(isNowChosen) => onChange(key, isNowChosen)}>
          {label}
        </MenuCheckboxItem>
      ))}
    </DropdownMenu>
  );
}
