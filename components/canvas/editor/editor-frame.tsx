"use client";

import { Suspense, useCallback, useRef, useState } from "react";
import { useSelectionInView } from "@/components/canvas/docks/use-selection-in-view";
import { CanvasToolbar } from "@/components/canvas/editor/canvas-toolbar";
import { EmptyCanvas } from "@/components/canvas/editor/empty-canvas";
import {
  LazyExtractDialog,
  LazyFindBar,
  LazyMinimap,
  LazyNodePanel,
  LazyOutline,
  LazyRunBar,
  LazyShortcutSheet,
  LazyStepPicker,
  LazyStepWorkspace,
  LazyTestPanel,
  type PublishPart,
  usePartsOnIntent,
} from "@/components/canvas/editor/lazy-parts";
import { useCanvasCommands } from "@/components/canvas/editor/use-canvas-commands";
import { useCanvasControls } from "@/components/canvas/editor/use-canvas-controls";
import { useDocumentKeys } from "@/components/canvas/editor/use-document-keys";
import { useWorkspaceUrl } from "@/components/canvas/editor/use-workspace-url";
import { WorkflowCanvas } from "@/components/canvas/editor/workflow-canvas";
import { ConflictBar } from "@/components/canvas/header/conflict-bar";
import { EditorHeader, usePublishRefusal } from "@/components/canvas/header/editor-header";
import { useMinimapShown } from "@/components/canvas/minimap/use-minimap-shown";
import { usePresence } from "@/components/canvas/presence/use-presence";
import { useDraft, useEditor, useEditorStore, useTests } from "@/components/canvas/store/draft-context";
import { fullNodeId } from "@/components/canvas/store/panel-slice";
import { createZoomStore } from "@/components/canvas/store/zoom-store";
import { FollowTest } from "@/components/canvas/testing/follow-test";
import { WorkflowTabs } from "@/components/shell/workflow-tabs";
import { toast } from "@/components/ui/toast";

/**
 * Lays out the editor: bar and tools at the top, drawing in the middle, and docks around it that make it smaller and never
 * cover it: the outline, the settings of the selected step, and the test panel.
 */
export function EditorFrame({ publish }: { publish: PublishPart }) {
  const [isOutlineOpen, setOutlineOpen] = useState(false);
  const [isMapShown, toggleMap] = useMinimapShown();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPublishOpen, setPublishOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const [zoom] = useState(createZoomStore);
  const refusal = usePublishRefusal();
  const editor = useEditorStore();
  const openPublish = useCallback(() => {
    editor.getState().showAllProblems();
    if (refusal === null) setPublishOpen(true);
    else toast.message(refusal);
  }, [editor, refusal]);
  const controls = useCanvasControls({
    toggleOutline: () => setOutlineOpen((isOpen) => !isOpen),
    toggleMap,
    openHelp: () => setHelpOpen(true),
  });
  const openFind = useCallback(() => {
    // The find bar belongs to the drawing, which the workspace covers.
    editor.getState().showFullSize(false);
    setFinding(true);
  }, [editor]);
  useDocumentKeys({ publish: openPublish, find: openFind });
  useCanvasCommands(controls, { publish: openPublish, find: openFind });
  const area = useRef<HTMLDivElement>(null);
  useSelectionInView(controls, area);
  usePresence();
  useWorkspaceUrl();
  usePartsOnIntent(publish);
  const isFullSize = useEditor((state) => fullNodeId(state) !== null);
  const isPanelOpen = useEditor((state) => state.isPanelOpen);
  const isPicking = useEditor((state) => state.picker !== null);
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  const openedRunId = useTests((state) => state.openedRunId);
  const isExtracting = useEditor((state) => state.isExtracting);
  const isTestOpen = useTests((state) => state.isOpen);
  // Below the drawing only, so that it takes no height from the settings. The full-size settings cover the drawing.
  const test = <Suspense>{isTestOpen ? <LazyTestPanel controls={controls} /> : null}</Suspense>;
  return (
    <div className="flex h-dvh min-w-0 flex-col overflow-hidden">
      <EditorHeader controls={controls} onPublish={openPublish} />
      <WorkflowTabs
        workflowId={workflowId}
        tools={
          // Hidden together with the drawing.
          <div className="@container min-w-80 flex-1 px-2" hidden={isFullSize}>
            <CanvasToolbar controls={controls} zoom={zoom} isOutlineOpen={isOutlineOpen} isMapShown={isMapShown} />
          </div>
        }
      />
      <ConflictBar />
      <Suspense>{openedRunId === null ? null : <LazyRunBar key={openedRunId} runId={openedRunId} />}</Suspense>
      <div className="relative flex min-h-55 flex-1">
        <div className="contents" inert={isFullSize}>
          <Suspense>{isOutlineOpen ? <LazyOutline controls={controls} /> : null}</Suspense>
          <div className="flex min-w-0 flex-1 flex-col md:min-w-50 lg:min-w-80">
            <div ref={area} className="@container relative flex min-h-55 flex-1 overflow-hidden bg-canvas">
              <WorkflowCanvas controls={controls} zoom={zoom} />
              <EmptyCanvas />
              <Suspense>
                {isFinding ? <LazyFindBar controls={controls} onClose={() => setFinding(false)} /> : null}
              </Suspense>
              <div className="pointer-events-none absolute right-4 bottom-4 z-5 hidden @xl:block">
                <Suspense>{isMapShown ? <LazyMinimap /> : null}</Suspense>
              </div>
            </div>
            {isFullSize ? null : test}
          </div>
          <Suspense>{isPanelOpen ? <LazyNodePanel controls={controls} /> : null}</Suspense>
        </div>
        <Suspense>{isFullSize ? <LazyStepWorkspace controls={controls} /> : null}</Suspense>
      </div>
      {isFullSize ? test : null}
      <FollowTest />
      <Suspense>{isPicking ? <LazyStepPicker /> : null}</Suspense>
      <Suspense>
        {isHelpOpen ? <LazyShortcutSheet isOpen onClose={() => setHelpOpen(false)} /> : null}
        {isExtracting ? <LazyExtractDialog /> : null}
        {isPublishOpen ? <publish.Dialog controls={controls} onClose={() => setPublishOpen(false)} /> : null}
      </Suspense>
    </div>
  );
}
