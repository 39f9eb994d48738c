"use client";

import { clsx } from "clsx";
import type { Category } from "@/components/canvas/catalog/arrange-entries";

const CATEGORIES: readonly { category: Category; label: string }[] = [
  { category: "all", label: "All" },
  { category: "apps", label: "Apps" },
  { category: "steps", label: "Steps" },
  { category: "triggers", label: "Triggers" },
  { category: "actions", label: "Actions" },
  { category: "fragments", label: "Groups" },
  { category: "own", label: "Yours" },
];

interface PickerCategoriesProps {
  chosen: Category;
  onChoose: (category: Category) => void;
}

/** Buttons that show only a part of the catalog. */
export function PickerCategories({ chosen, onChoose }: PickerCategoriesProps) {
  return (
    <fieldset aria-label="Show" className="flex min-w-0 shrink-0 flex-wrap gap-1 px-2.5 pb-1.5">
      {CATEGORIES.map(({ category, label }) => (
        <button
          key={category}
          type="button"
          aria-pressed={category === chosen}
          onClick={() => onChoose(category)}
          className={clsx(
            "h-6 shrink-0 rounded-full px-2.5 text-dense pointer-coarse:h-9",
            category === chosen ? "bg-accent-weak font-medium text-accent" : "text-text-2 hover:bg-sunken",
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
