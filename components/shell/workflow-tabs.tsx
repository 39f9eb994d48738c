"use client";

import { SubNav } from "@/components/ui/lists/sub-nav";

/** The pages of one workflow, as a row of tabs under its header. */
export function WorkflowTabs({ workflowId }: { workflowId: string }) {
  const base = `/workflows/${workflowId}`;
  const pages = [
    { href: base, label: "Editor" },
    { href: `${base}/runs`, label: "Runs" },
    { href: `${base}/versions`, label: "Versions" },
    { href: `${base}/settings`, label: "Settings" },
  ];
  return <SubNav label="Workflow" pages={pages} />;
}
