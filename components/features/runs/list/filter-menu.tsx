"use client";

import { ChevronDown } from "lucide-react";
import { lazy } from "react";
import { Button } from "@/components/ui/button";
import type { ChoiceMenuProps } from "@/components/ui/overlays/choice-menu";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";

const loadMenu = () => import("@/components/ui/overlays/choice-menu");
const ChoiceMenu = lazy(() => loadMenu().then((m) => ({ default: m.ChoiceMenu })));

interface FilterMenuProps<T extends string> {
  label: string;
  options: readonly T[];
  labelOf: (option: T) => string;
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
}

/** A menu that selects several of a few options; its button shows the selection. */
export function FilterMenu<T extends string>({ label, options, labelOf, chosen, onChange }: FilterMenuProps<T>) {
  const [first] = chosen;
  const words = first === undefined ? null : chosen.length === 1 ? labelOf(first) : `${chosen.length} chosen`;
  const items: ChoiceMenuProps["items"] = options.map((option) => ({
    key: option,
    label: labelOf(option),
    isChosen: chosen.includes(option),
  }));
  return (
    <LazyMenu
      preload={loadMenu}
      trigger={
        <Button
          variant={words === null ? "field" : "field-chosen"}
          className="grow font-normal sm:grow-0 pointer-coarse:text-[16px]"
        >
          {words === null ? label : `${label}: ${words}`}
          <ChevronDown aria-hidden className="size-3.5 text-text-3" />
        </Button>
      }
    >
      {(menu) => (
        <ChoiceMenu
          {...menu}
          items={items}
          onChange={(key, isChosen) =>
            onChange(options.filter((option) => (option === key ? isChosen : chosen.includes(option))))
          }
        />
      )}
    </LazyMenu>
  );
}
