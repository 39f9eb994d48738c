"use client";

import type { ReactNode } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { PanelProvider } from "@/components/canvas/panel/fields/panel-context";
import { PanelCommands } from "@/components/canvas/panel/panel-commands";
import { useEditor } from "@/components/canvas/store/draft-context";

/** Returns the selected step, if it is the only one. */
export function useSelectedNode(): GraphNode | undefined {
  return useEditor((state) => {
    const [id, ...others] = state.selectedNodeIds;
    return others.length > 0 ? undefined : state.definition.nodes.find((candidate) => candidate.id === id);
  });
}

/** Gives the fields inside it the selected step. They start over with every selection, but survive a changed id. */
export function SelectedStep({ node, children }: { node: GraphNode; children: ReactNode }) {
  const serial = useEditor((state) => state.selectionSerial);
  const leftFields = useEditor((state) => state.freshNodes[node.id] ?? null);
  return (
    <PanelProvider key={serial} node={node} leftFields={leftFields}>
      <PanelCommands>{children}</PanelCommands>
    </PanelProvider>
  );
}
