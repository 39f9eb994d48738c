"use client";

import { Maximize2, X } from "lucide-react";
import { type RefObject, useRef } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { DockResizer } from "@/components/canvas/docks/dock-resizer";
import { useDockSize } from "@/components/canvas/docks/dock-size";
import { appOf } from "@/components/canvas/document/app-of";
import type { KindForms } from "@/components/canvas/kinds/load-kind-forms";
import { NodeIdLine, NodeNameInput } from "@/components/canvas/panel/node-identity";
import { NodeMenu } from "@/components/canvas/panel/node-menu";
import { SelectedStep, useSelectedNode } from "@/components/canvas/panel/selected-step";
import { SettingsTabs } from "@/components/canvas/panel/settings-tabs";
import { useFocusWish } from "@/components/canvas/panel/use-focus-wish";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { IconButton } from "@/components/ui/icon-button";

interface NodePanelProps {
  controls: RefObject<CanvasControls>;
  forms: KindForms;
}

/** Shows the selected step's settings next to the drawing, never over it. */
export function NodePanel({ controls, forms }: NodePanelProps) {
  const isOpen = useEditor((state) => state.isPanelOpen && !state.isFullSize);
  const node = useSelectedNode();
  if (!isOpen || node === undefined) return null;
  return (
    <SelectedStep node={node}>
      <PanelFrame node={node} controls={controls} forms={forms} />
    </SelectedStep>
  );
}

function PanelFrame({ node, controls, forms }: NodePanelProps & { node: GraphNode }) {
  const editor = useEditorStore();
  const [width, setWidth] = useDockSize("panel");
  const panel = useRef<HTMLElement>(null);
  useFocusWish(node.id, panel);
  function close() {
    editor.getState().closePanel();
    controls.current.focusNode(node.id);
  }
  return (
    <aside
      ref={panel}
      aria-label={`Settings for ${nodeLabel(node)}`}
      style={{ width }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
      className="absolute inset-y-0 right-0 z-10 flex flex-col border-l border-border bg-app max-md:w-full! max-md:border-l-0 md:relative md:min-w-80"
    >
      <DockResizer dock="panel" size={width} onResize={setWidth} />
      <header className="flex flex-col gap-0.5 px-4 pt-2.5">
        <div className="flex items-center gap-2">
          <KindTile type={node.type} app={appOf(node)} />
          <NodeNameInput />
          <NodeMenu node={node} controls={controls} />
          <IconButton
            icon={Maximize2}
            label="Open full size"
            shortcut="↵"
            size="sm"
            onClick={() => editor.getState().openFull(node.id)}
          />
          <IconButton icon={X} label="Close the panel" shortcut="Esc" size="sm" onClick={close} />
        </div>
        <NodeIdLine />
      </header>
      <SettingsTabs form={forms[node.type]} hasData hasOutput />
    </aside>
  );
}
