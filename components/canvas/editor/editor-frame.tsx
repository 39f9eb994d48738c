"use client";

import { type RefObject, Suspense, useCallback, useEffect, useState } from "react";
import { CanvasToolbar } from "@/components/canvas/editor/canvas-toolbar";
import { EmptyCanvas } from "@/components/canvas/editor/empty-canvas";
import {
  LazyFindBar,
  LazyMinimap,
  LazyNodePanel,
  LazyNodePicker,
  LazyOutline,
  LazyShortcutSheet,
  LazyTestPanel,
  type PublishPart,
  usePartsSoon,
} from "@/components/canvas/editor/lazy-parts";
import { useCanvasCommands } from "@/components/canvas/editor/use-canvas-commands";
import { useCanvasControls } from "@/components/canvas/editor/use-canvas-controls";
import { useDocumentKeys } from "@/components/canvas/editor/use-document-keys";
import { WorkflowCanvas } from "@/components/canvas/editor/workflow-canvas";
import { ConflictBar } from "@/components/canvas/header/conflict-bar";
import { EditorHeader, usePublishRefusal } from "@/components/canvas/header/editor-header";
import { useMinimapShown } from "@/components/canvas/minimap/use-minimap-shown";
import { usePresence } from "@/components/canvas/presence/use-presence";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useEditor, useEditorStore, useTests } from "@/components/canvas/store/draft-context";
import { FollowTest } from "@/components/canvas/testing/follow-test";
import { toast } from "@/components/ui/toast";

const OPENED = "";
const SETTLE_MS = 60;

/**
 * Lays out the editor: bar at the top, drawing in the middle, settings of the selected step on the right, test panel
 * below.
 */
export function EditorFrame({ publish }: { publish: PublishPart }) {
  const [isOutlineOpen, setOutlineOpen] = useState(false);
  const [isMapShown, toggleMap] = useMinimapShown();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPublishOpen, setPublishOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const refusal = usePublishRefusal();
  const openPublish = useCallback(() => {
    if (refusal === null) setPublishOpen(true);
    else toast.message(refusal);
  }, [refusal]);
  const controls = useCanvasControls({
    toggleOutline: () => setOutlineOpen((isOpen) => !isOpen),
    toggleMap,
    openHelp: () => setHelpOpen(true),
  });
  const openFind = useCallback(() => setFinding(true), []);
  useDocumentKeys({ publish: openPublish, find: openFind });
  useCanvasCommands(controls, { publish: openPublish, find: openFind });
  useSelectionInView(controls);
  usePresence();
  usePartsSoon(publish);
  const isPanelOpen = useEditor((state) => state.isPanelOpen);
  const isPicking = useEditor((state) => state.picker !== null);
  const isTestOpen = useTests((state) => state.isOpen);
  return (
    <div className="flex h-dvh min-w-0 flex-col overflow-hidden">
      <EditorHeader controls={controls} onPublish={openPublish} />
      <ConflictBar />
      <div className="relative flex min-h-0 flex-1">
        <Suspense>{isOutlineOpen ? <LazyOutline controls={controls} /> : null}</Suspense>
        <div className="relative flex min-w-0 flex-1 bg-canvas">
          <WorkflowCanvas controls={controls} />
          <EmptyCanvas />
          <Suspense>
            {isFinding ? <LazyFindBar controls={controls} onClose={() => setFinding(false)} /> : null}
          </Suspense>
          <div className="@container pointer-events-none absolute inset-x-0 bottom-4 z-5 flex justify-center px-3">
            <div className="absolute right-4 bottom-12 hidden @xl:block @min-[1040px]:bottom-0">
              <Suspense>{isMapShown ? <LazyMinimap /> : null}</Suspense>
            </div>
            <CanvasToolbar controls={controls} isOutlineOpen={isOutlineOpen} isMapShown={isMapShown} />
          </div>
        </div>
        <Suspense>{isPanelOpen ? <LazyNodePanel controls={controls} /> : null}</Suspense>
      </div>
      <Suspense>{isTestOpen ? <LazyTestPanel controls={controls} /> : null}</Suspense>
      <FollowTest />
      <Suspense>{isPicking ? <LazyNodePicker /> : null}</Suspense>
      <Suspense>
        {isHelpOpen ? <LazyShortcutSheet isOpen onClose={() => setHelpOpen(false)} /> : null}
        {isPublishOpen ? <publish.Dialog controls={controls} onClose={() => setPublishOpen(false)} /> : null}
      </Suspense>
    </div>
  );
}

/** Brings a step into view that was just added or that the opening panel would cover. */
function useSelectionInView(controls: RefObject<CanvasControls>): void {
  const opened = useEditor((state) => (state.isPanelOpen ? (state.freshNodeId ?? OPENED) : null));
  const editor = useEditorStore();
  useEffect(() => {
    if (opened === null) return;
    // Runs once the canvas has its new width and the card has been measured.
    const timer = setTimeout(() => {
      const [nodeId] = editor.getState().selectedNodeIds;
      if (nodeId !== undefined) controls.current.showNode(nodeId);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [opened, editor, controls]);
}
