"use client";

import type { Category } from "@/components/canvas/catalog/arrange-entries";
import { ChoiceChips } from "@/components/ui/choice-chips";

const CATEGORIES: readonly { value: Category; label: string }[] = [
  { value: "all", label: "All" },
  { value: "apps", label: "Apps" },
  { value: "steps", label: "Steps" },
  { value: "triggers", label: "Triggers" },
  { value: "actions", label: "Actions" },
  { value: "fragments", label: "Groups" },
  { value: "own", label: "Yours" },
];

interface PickerCategoriesProps {
  chosen: Category;
  onChoose: (category: Category) => void;
}

/** Buttons that show only a part of the catalog. */
export function PickerCategories({ chosen, onChoose }: PickerCategoriesProps) {
  return (
    <ChoiceChips
      label="Show"
      choices={CATEGORIES}
      chosen={chosen}
      onChoose={onChoose}
      className="shrink-0 px-2.5 pb-1.5"
    />
  );
}
