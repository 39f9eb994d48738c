"use client";

import { type ReactNode, Suspense } from "react";
import { Tabs } from "@/components/ui/lists/tabs";

interface DetailTabsProps<T extends string> {
  label: string;
  tabs: readonly T[];
  labels: Readonly<Record<T, string>>;
  value: T;
  onChange: (value: T) => void;
  /** Shown while the tab loads. */
  skeleton: ReactNode;
  /** The open tab. */
  children: ReactNode;
}

/** The tabs of an object's page; each loads when it is opened. */
export function DetailTabs<T extends string>(props: DetailTabsProps<T>) {
  const { label, tabs, labels, value, onChange, skeleton, children } = props;
  const content = <Suspense fallback={skeleton}>{children}</Suspense>;
  return (
    <Tabs
      label={label}
      value={value}
      onChange={onChange}
      listClassName="px-4"
      panelClassName="p-4 sm:py-6"
      tabs={tabs.map((tab) => ({ value: tab, label: labels[tab], content }))}
    />
  );
}
