"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useRef } from "react";
import type { GraphNode } from "#lib/contract/graph";
import { nodeLabel } from "#lib/graph/node-data";
import { NODE_KINDS } from "@/components/canvas/document/node-kinds";
import { outgoingInPortOrder } from "@/components/canvas/document/step-order";
import type { CanvasControls } from "@/components/canvas/editor/canvas-controls";
import { problemsOf } from "@/components/canvas/store/analysis";
import { useAnalysis, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { IconButton } from "@/components/ui/icon-button";

interface OutlineProps {
  controls: RefObject<CanvasControls>;
}

/** The same workflow as a list in reading order: the way through it for a screen reader, and a quick one for everybody. */
export function Outline({ controls }: OutlineProps) {
  const editor = useEditorStore();
  const list = useRef<HTMLUListElement>(null);
  const definition = useEditor((state) => state.definition);
  const analysis = useAnalysis();
  const selected = useEditor((state) => state.selectedNodeIds);
  const rows = [...analysis.steps].sort((a, b) => a[1] - b[1]);
  const tabStop = rows.find(([id]) => selected.includes(id))?.[0] ?? rows[0]?.[0];
  function onKeyDown(event: KeyboardEvent) {
    const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (distance === undefined) return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>("[data-outline-row]") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[Math.min(buttons.length - 1, Math.max(0, at + distance))]?.focus();
  }
  return (
    <nav
      aria-label="Outline of the workflow"
      className="absolute inset-y-0 left-0 z-10 flex w-64 shrink-0 flex-col border-r border-border bg-app md:static"
    >
      <header className="flex items-center justify-between py-1.5 pr-2 pl-4">
        <h2 className="font-semibold">Outline</h2>
        <IconButton icon={X} size="sm" label="Close the outline" onClick={() => controls.current.toggleOutline()} />
      </header>
      {rows.length === 0 ? <p className="px-4 text-text-2">No steps yet.</p> : null}
      <ul ref={list} onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col overflow-y-auto px-2 pb-3">
        {rows.map(([id, step]) => {
          const node = analysis.index.nodes.get(id);
          if (node === undefined) return null;
          const problems = problemsOf(analysis, id).length;
          const next = outgoingInPortOrder(definition, id)
            .map((edge) => analysis.steps.get(edge.target))
            .join(", ");
          return (
            <li key={id}>
              <button
                type="button"
                data-outline-row
                tabIndex={id === tabStop ? 0 : -1}
                aria-current={selected.includes(id) ? "step" : undefined}
                onClick={() => {
                  editor.getState().open(id);
                  controls.current.showNode(id);
                }}
                className="flex w-full items-center gap-2 rounded-2 px-2 py-1.5 text-left -outline-offset-2 hover:bg-sunken aria-[current]:bg-accent-weak"
              >
                <KindTile kind={NODE_KINDS[node.type]} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">
                    {step}. {nodeLabel(node)}
                  </span>
                  <span className="block truncate text-micro text-text-3">
                    {describeNext(node, next)}
                    {problems > 0 ? <span className="text-err"> · {problems} to fix</span> : null}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function describeNext(node: GraphNode, next: string): string {
  if (next !== "") return `Then step ${next}`;
  return NODE_KINDS[node.type].outputs.length === 0 ? "The run ends" : "Leads nowhere yet";
}
