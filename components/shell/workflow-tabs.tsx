"use client";

import type { ReactNode } from "react";
import { SubNav } from "@/components/ui/lists/sub-nav";

interface WorkflowTabsProps {
  workflowId: string;
  /** Tools of the open page, at the end of the row. */
  tools?: ReactNode;
}

/** The pages of one workflow, as a row of tabs under its header. */
export function WorkflowTabs({ workflowId, tools }: WorkflowTabsProps) {
  const base = `/workflows/${workflowId}`;
  const pages = [
    { href: base, label: "Editor" },
    { href: `${base}/runs`, label: "Runs" },
    { href: `${base}/versions`, label: "Versions" },
    { href: `${base}/settings`, label: "Settings" },
  ];
  return <SubNav label="Workflow" pages={pages} tools={tools} />;
}
