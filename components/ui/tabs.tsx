"use client";

import { clsx } from "clsx";
import * as Primitive from "radix-ui/tabs";
import type { ReactNode } from "react";

interface TabsProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  tabs: readonly { value: T; label: ReactNode; content: ReactNode }[];
  label: string;
  /** Space around the row of tabs and around the panel. */
  listClassName?: string;
  panelClassName?: string;
}

/** A row of tabs over one panel at a time; only the panel shown is mounted. */
export function Tabs<T extends string>(props: TabsProps<T>) {
  const { value, onChange, tabs, label, listClassName, panelClassName } = props;
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => onChange(next as T)}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <Primitive.List
        aria-label={label}
        className={clsx("flex shrink-0 gap-5 overflow-x-auto border-b border-border", listClassName)}
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px h-10 shrink-0 rounded-t-1 border-b-2 border-transparent text-text-2 -outline-offset-2 hover:text-text data-[state=active]:border-text data-[state=active]:font-medium data-[state=active]:text-text"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content
          key={tab.value}
          value={tab.value}
          className={clsx("min-h-0 min-w-0 flex-1 -outline-offset-2", panelClassName)}
        >
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
