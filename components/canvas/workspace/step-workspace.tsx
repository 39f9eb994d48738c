"use client";

import { ChevronLeft, ChevronRight, Minimize2, X } from "lucide-react";
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { appOf } from "@/components/canvas/document/app-of";
import type { KindForms } from "@/components/canvas/kinds/load-kind-forms";
import { NodeIdLine, NodeNameInput } from "@/components/canvas/panel/node-identity";
import { NodeMenu } from "@/components/canvas/panel/node-menu";
import { SelectedStep, useSelectedNode } from "@/components/canvas/panel/selected-step";
import { useFocusWish } from "@/components/canvas/panel/use-focus-wish";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useAnalysis, useEditorStore } from "@/components/canvas/store/draft-context";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { focusNextPane } from "@/components/canvas/workspace/focus-next-pane";
import { WorkspaceColumns, type WorkspaceSide } from "@/components/canvas/workspace/workspace-columns";
import { IconButton } from "@/components/ui/icon-button";

interface StepWorkspaceProps {
  controls: RefObject<CanvasControls>;
  forms: KindForms;
}

/** One step over the whole drawing: the data it can use, its settings, and its output. */
export function StepWorkspace({ controls, forms }: StepWorkspaceProps) {
  const node = useSelectedNode();
  const editor = useEditorStore();
  const [side, setSide] = useState<WorkspaceSide>("input");
  if (node === undefined) return null;
  function close(nodeId: string) {
    editor.getState().closePanel();
    controls.current.focusNode(nodeId);
  }
  return (
    <section
      aria-label={`Workspace for ${nodeLabel(node)}`}
      onKeyDown={(event) => {
        if (event.defaultPrevented) return;
        if (event.key === "Escape") close(node.id);
        else if (event.key !== "F6" || !focusNextPane(event.currentTarget, event.shiftKey)) return;
        event.preventDefault();
      }}
      className="absolute inset-0 z-20 grid grid-cols-[auto_minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] bg-app"
    >
      <StepNavigation node={node} />
      <SelectedStep node={node}>
        <StepHeader node={node} controls={controls} onClose={() => close(node.id)} />
        <WorkspaceBody node={node} forms={forms} side={side} onSide={setSide} />
      </SelectedStep>
    </section>
  );
}

interface StepHeaderProps extends Pick<StepWorkspaceProps, "controls"> {
  node: GraphNode;
  onClose: () => void;
}

function StepHeader({ node, controls, onClose }: StepHeaderProps) {
  const editor = useEditorStore();
  return (
    <header className="flex min-w-0 flex-col gap-0.5 border-b border-border py-2 pr-4">
      <div className="flex min-w-0 items-center gap-2">
        <KindTile type={node.type} app={appOf(node)} />
        <NodeNameInput />
        <NodeMenu node={node} controls={controls} />
        <IconButton
          icon={Minimize2}
          label="Show in the panel"
          size="sm"
          onClick={() => editor.getState().showFullSize(false)}
        />
        <IconButton icon={X} label="Close the step" shortcut="Esc" size="sm" onClick={onClose} />
      </div>
      <NodeIdLine />
    </header>
  );
}

type WorkspaceBodyProps = Pick<StepWorkspaceProps, "forms"> & Omit<ComponentProps<typeof WorkspaceColumns>, "form">;

function WorkspaceBody({ forms, ...columns }: WorkspaceBodyProps) {
  const box = useRef<HTMLDivElement>(null);
  useFocusWish(columns.node.id, box);
  return (
    <div ref={box} className="col-span-2 flex min-h-0 min-w-0">
      <WorkspaceColumns form={forms[columns.node.type]} {...columns} />
    </div>
  );
}

/** Leads to the step before and after this one, in reading order, without leaving the workspace. */
function StepNavigation({ node }: { node: GraphNode }) {
  const editor = useEditorStore();
  const { steps, index } = useAnalysis();
  const at = steps.get(node.id) ?? 0;
  const neighbour = (distance: number) => [...steps].find(([, step]) => step === at + distance)?.[0];
  const before = neighbour(-1);
  const after = neighbour(1);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!event.altKey || event.defaultPrevented) return;
      const next = event.key === "PageUp" ? before : event.key === "PageDown" ? after : undefined;
      if (next === undefined) return;
      event.preventDefault();
      // Unlike the buttons, it also moves the focus: the field that has it goes away with its step.
      editor.getState().open(next);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [editor, before, after]);
  const labelOf = (id: string | undefined, otherwise: string) => {
    const other = id === undefined ? undefined : index.nodes.get(id);
    return other === undefined ? otherwise : nodeLabel(other);
  };
  return (
    <nav aria-label="Steps" className="flex items-start border-b border-border py-2.5 pl-3">
      <IconButton
        icon={ChevronLeft}
        size="sm"
        label={before === undefined ? "No step before this one" : `Previous step: ${labelOf(before, "")}`}
        shortcut="⌥PgUp"
        disabled={before === undefined}
        onClick={() => before !== undefined && editor.getState().select([before])}
      />
      <span className="min-w-14 text-center text-dense leading-[26px] text-text-3 tabular-nums">
        {at} of {steps.size}
      </span>
      <IconButton
        icon={ChevronRight}
        size="sm"
        label={after === undefined ? "No step after this one" : `Next step: ${labelOf(after, "")}`}
        shortcut="⌥PgDn"
        disabled={after === undefined}
        onClick={() => after !== undefined && editor.getState().select([after])}
      />
    </nav>
  );
}
