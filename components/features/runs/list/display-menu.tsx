"use client";

import type { ReactElement } from "react";
import { DENSITIES, type ListSettings, type RunListColumn, TIMES } from "@/components/features/runs/list/list-settings";
import { ALL_RUN_COLUMNS } from "@/components/features/runs/list/run-columns";
import type { RunListFilters } from "@/components/features/runs/list/run-filters";
import {
  DropdownMenu,
  MenuCheckboxItem,
  MenuLabel,
  MenuRadioGroup,
  MenuSeparator,
} from "@/components/ui/overlays/dropdown-menu";

const DENSITY_WORDS: Record<ListSettings["density"], string> = { comfortable: "Comfortable", compact: "Compact" };
const TIME_WORDS: Record<ListSettings["times"], string> = {
  relative: "Time ago",
  local: "Local time",
  utc: "UTC",
};
const ORDER_WORDS: Record<RunListFilters["order"], string> = { desc: "Newest first", asc: "Oldest first" };

export interface DisplayMenuProps {
  settings: ListSettings;
  onChange: (changes: Partial<ListSettings>) => void;
  order: RunListFilters["order"];
  onOrder: (order: RunListFilters["order"]) => void;
}

interface OpenMenu {
  trigger: ReactElement;
  isInitiallyOpen: boolean;
}

/** What the list shows: columns, order, density and times. The browser remembers all but the order. */
export function DisplayMenu({ settings, onChange, order, onOrder, ...menu }: DisplayMenuProps & OpenMenu) {
  const { columns, density, times } = settings;
  function show(column: RunListColumn, isShown: boolean) {
    onChange({ columns: isShown ? [...columns, column] : columns.filter((each) => each !== column) });
  }
  return (
    <DropdownMenu {...menu} className="w-52">
      <MenuLabel>Columns</MenuLabel>
      {ALL_RUN_COLUMNS.map(({ key, label }) =>
        key === "status" || key === "action" ? null : (
          <MenuCheckboxItem key={key} isChecked={columns.includes(key)} onChange={(isShown) => show(key, isShown)}>
            {label}
          </MenuCheckboxItem>
        ),
      )}
      <MenuSeparator />
      <MenuLabel>Order</MenuLabel>
      <MenuRadioGroup
        value={order}
        onChange={(value) => onOrder(value === "asc" ? "asc" : "desc")}
        options={optionsOf(["desc", "asc"] as const, ORDER_WORDS)}
      />
      <MenuSeparator />
      <MenuLabel>Times</MenuLabel>
      <MenuRadioGroup
        value={times}
        onChange={(value) => onChange({ times: TIMES.find((each) => each === value) ?? times })}
        options={optionsOf(TIMES, TIME_WORDS)}
      />
      <MenuSeparator />
      <MenuLabel>Rows</MenuLabel>
      <MenuRadioGroup
        value={density}
        onChange={(value) => onChange({ density: DENSITIES.find((each) => each === value) ?? density })}
        options={optionsOf(DENSITIES, DENSITY_WORDS)}
      />
    </DropdownMenu>
  );
}

function optionsOf<T extends string>(values: readonly T[], words: Record<T, string>) {
  return values.map((value) => ({ value, label: words[value] }));
}
