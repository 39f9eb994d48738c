"use client";

import { Copy, Ellipsis, Play, StepForward, Trash2, X } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import type { GraphNode } from "#lib/contract/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { duplicateSelection } from "@/components/canvas/actions/canvas-actions";
import { deleteWithFocus } from "@/components/canvas/actions/delete-with-focus";
import type { KindForm } from "@/components/canvas/kinds/canvas-kind";
import type { KindForms } from "@/components/canvas/kinds/load-kind-forms";
import { ConnectionsSection } from "@/components/canvas/panel/connections-section";
import { EarlierDataList } from "@/components/canvas/panel/earlier-data-list";
import { focusField } from "@/components/canvas/panel/fields/focus-field";
import { PanelProvider } from "@/components/canvas/panel/fields/panel-context";
import { FrameSection } from "@/components/canvas/panel/frame-section";
import { NodeIdLine, NodeNameInput } from "@/components/canvas/panel/node-identity";
import { OutputTab } from "@/components/canvas/panel/output-tab";
import { PanelResizer, usePanelWidth } from "@/components/canvas/panel/panel-resizer";
import { RetriesForm } from "@/components/canvas/panel/retries-form";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useDraftSession, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import type { PanelTab } from "@/components/canvas/store/editor-store";
import { runTest, testStep } from "@/components/canvas/testing/run-test";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { IconButton } from "@/components/ui/icon-button";
import { Tabs } from "@/components/ui/lists/tabs";
import { DropdownMenu, MenuItem, MenuSeparator } from "@/components/ui/overlays/dropdown-menu";

const SETTLE_MS = 40;

interface NodePanelProps {
  controls: RefObject<CanvasControls>;
  forms: KindForms;
}

/** Shows the selected step's settings next to the drawing, never over it. */
export function NodePanel({ controls, forms }: NodePanelProps) {
  const isOpen = useEditor((state) => state.isPanelOpen);
  const serial = useEditor((state) => state.selectionSerial);
  const isFresh = useEditor((state) => state.freshNodeId === state.selectedNodeIds[0]);
  const node = useEditor((state) => {
    const [id, ...others] = state.selectedNodeIds;
    return others.length > 0 ? undefined : state.definition.nodes.find((candidate) => candidate.id === id);
  });
  if (!isOpen || node === undefined) return null;
  return (
    <PanelProvider key={serial} node={node} isFresh={isFresh}>
      <PanelFrame node={node} controls={controls} forms={forms} />
    </PanelProvider>
  );
}

function PanelFrame({ node, controls, forms }: NodePanelProps & { node: GraphNode }) {
  const editor = useEditorStore();
  const [width, setWidth] = usePanelWidth();
  const tab = useEditor((state) => state.panelTab);
  const panel = useRef<HTMLElement>(null);
  useFocusWish(node.id, panel);
  function close() {
    editor.getState().closePanel();
    controls.current.focusNode(node.id);
  }
  const tabs = [
    { value: "setup", label: "Setup", content: <SetupTab node={node} form={forms[node.type]} /> },
    ...(STEP_KINDS[node.type].canFail
      ? [{ value: "retries", label: "Retries & errors", content: <RetriesTab node={node} /> } as const]
      : []),
    { value: "output", label: "Output", content: <OutputTab /> },
  ] as const;
  return (
    <aside
      ref={panel}
      aria-label={`Settings for ${nodeLabel(node)}`}
      style={{ width: `min(100%, ${width}px)` }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
      className="absolute inset-y-0 right-0 z-10 flex shrink-0 flex-col border-l border-border bg-app max-md:w-full! max-md:border-l-0 md:relative"
    >
      <PanelResizer width={width} onResize={setWidth} />
      <header className="flex flex-col gap-0.5 px-4 pt-2.5">
        <div className="flex items-center gap-2">
          <KindTile type={node.type} />
          <NodeNameInput />
          <NodeMenu node={node} controls={controls} />
          <IconButton icon={X} label="Close the panel" shortcut="Esc" size="sm" onClick={close} />
        </div>
        <NodeIdLine />
      </header>
      <Tabs<PanelTab>
        label="Settings"
        value={tab}
        onChange={(next) => editor.getState().showTab(next)}
        tabs={tabs}
        listClassName="px-4"
        panelClassName="flex flex-col gap-5 overflow-y-auto p-4"
      />
    </aside>
  );
}

function SetupTab({ node, form: Form }: { node: GraphNode; form: KindForm }) {
  return (
    <>
      <div data-form className="contents">
        <Form />
      </div>
      {STEP_KINDS[node.type].hasInput ? <EarlierDataList /> : null}
      <div className="flex flex-col gap-5 border-t border-border pt-4 empty:hidden">
        <ConnectionsSection />
        <FrameSection />
      </div>
    </>
  );
}

function RetriesTab({ node }: { node: GraphNode }) {
  return <RetriesForm canRetry={STEP_KINDS[node.type].canRetry} />;
}

function NodeMenu({ node, controls }: { node: GraphNode; controls: RefObject<CanvasControls> }) {
  const session = useDraftSession();
  const { editor } = session;
  const isReadOnly = useEditor((state) => state.isReadOnly);
  if (isReadOnly) return null;
  const isOnly = STEP_KINDS[node.type].max === 1;
  return (
    <DropdownMenu trigger={<IconButton icon={Ellipsis} label="More" size="sm" />}>
      <MenuItem icon={Play} disabled={!STEP_KINDS[node.type].hasInput} onSelect={() => void testStep(session, node.id)}>
        Test this step
      </MenuItem>
      <MenuItem icon={StepForward} onSelect={() => void runTest(session, { untilStep: node.id })}>
        Run to here
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Copy} disabled={isOnly} onSelect={() => duplicateSelection(editor)}>
        Duplicate
      </MenuItem>
      <MenuItem
        icon={Trash2}
        isDestructive
        onSelect={() => {
          // Drops lines from the selection, so that only the step is deleted.
          editor.getState().select([node.id]);
          deleteWithFocus(editor, controls.current);
        }}
      >
        Delete step
      </MenuItem>
    </DropdownMenu>
  );
}

/** Focuses the field that a clicked problem or Enter on a card requested, once the panel is mounted. */
function useFocusWish(nodeId: string, panel: RefObject<HTMLElement | null>): void {
  const editor = useEditorStore();
  const wish = useEditor((state) => state.focusWish);
  useEffect(() => {
    if (wish === null || wish.nodeId !== nodeId) return;
    const before = document.activeElement;
    // Runs after the tab's content has mounted, and after the list or dialog that led here has returned the focus.
    const timer = setTimeout(() => {
      editor.getState().serveWish();
      const now = document.activeElement;
      // If the user has focused another field in the panel meanwhile, the focus stays there.
      const isTaken = now !== before && now !== null && panel.current?.contains(now);
      if (!isTaken) focusField(panel.current, wish.field);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [editor, wish, nodeId, panel]);
}
