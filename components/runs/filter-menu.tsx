"use client";

import { ChevronDown } from "lucide-react";
import { Button } from "@/components/ui/button";
import { DropdownMenu, MenuCheckboxItem } from "@/components/ui/dropdown-menu";

interface FilterMenuProps<T extends string> {
  label: string;
  options: readonly T[];
  labelOf: (option: T) => string;
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
}

/** Several choices of a few; the button says what is chosen. */
export function FilterMenu<T extends string>({ label, options, labelOf, chosen, onChange }: FilterMenuProps<T>) {
  const [first] = chosen;
  const words = first === undefined ? null : chosen.length === 1 ? labelOf(first) : `${chosen.length} chosen`;
  return (
    <DropdownMenu
      align="start"
      trigger={
        <Button className={words === null ? "border-border-strong font-normal" : "border-accent font-normal"}>
          {words === null ? label : `${label}: ${words}`}
          <ChevronDown aria-hidden className="size-3.5 text-text-3" />
        </Button>
      }
    >
      {options.map((option) => (
        <MenuCheckboxItem
          key={option}
          isChecked={chosen.includes(option)}
          onChange={(isChecked) =>
            onChange(options.filter((other) => (other === option ? isChecked : chosen.includes(other))))
          }
        >
          {labelOf(option)}
        </MenuCheckboxItem>
      ))}
    </DropdownMenu>
  );
}
