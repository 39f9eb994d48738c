"use client";

import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId } from "react";
import { centreInRow, TAB_ROW } from "@/components/ui/lists/centre-in-row";

interface TabsProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  tabs: readonly { value: T; label: ReactNode; content: ReactNode }[];
  label: string;
  /** Space around the row of tabs and around the panel. */
  listClassName?: string;
  panelClassName?: string;
}

/** From this number, tabs are closer together, so that they fit into a panel. */
const MANY = 7;
/** Makes the panel focusable, for one that scrolls without a focusable element in it. */
const REACHABLE = { tabIndex: 0 } as const;

/** Tabs over one panel at a time; only the visible panel is mounted. Arrows, Home and End move along the row. */
export function Tabs<T extends string>(props: TabsProps<T>) {
  const { value, onChange, tabs, label, listClassName, panelClassName } = props;
  const id = useId();
  const shown = tabs.find((tab) => tab.value === value);

  function walk(event: KeyboardEvent<HTMLDivElement>) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = tabs.findIndex((tab) => tab.value === value);
    const to = placeByKey(event.key, at, tabs.length);
    const next = to === null ? undefined : tabs[to];
    if (to === null || next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
  }

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={walk}
        className={clsx(TAB_ROW, "shadow-row", tabs.length < MANY ? "gap-x-5" : "gap-x-3.5", listClassName)}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            ref={tab.value === value ? centreInRow : undefined}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className="h-10 shrink-0 rounded-t-1 border-b-2 border-transparent text-text-2 -outline-offset-2 hover:text-text aria-selected:border-text aria-selected:font-medium aria-selected:text-text"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        key={value}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        {...REACHABLE}
        className={clsx("min-h-0 min-w-0 flex-1 -outline-offset-2", panelClassName)}
      >
        {shown?.content}
      </div>
    </div>
  );
}

/** Returns the tab that a key leads to in a row that wraps around, or null for other keys. */
function placeByKey(key: string, at: number, count: number): number | null {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
