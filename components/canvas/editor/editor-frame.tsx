"use client";

import { useCallback, useState } from "react";
import { useCanvasControls } from "@/components/canvas/editor/canvas-controls";
import { CanvasToolbar } from "@/components/canvas/editor/canvas-toolbar";
import { EmptyCanvas } from "@/components/canvas/editor/empty-canvas";
import { NodePicker } from "@/components/canvas/editor/node-picker";
import { Outline } from "@/components/canvas/editor/outline";
import { ShortcutSheet } from "@/components/canvas/editor/shortcut-sheet";
import { useDocumentKeys } from "@/components/canvas/editor/use-document-keys";
import { WorkflowCanvas } from "@/components/canvas/editor/workflow-canvas";
import { ConflictBar } from "@/components/canvas/header/conflict-bar";
import { EditorHeader } from "@/components/canvas/header/editor-header";
import { NodePanel } from "@/components/canvas/panel/node-panel";
import { useEditor } from "@/components/canvas/store/draft-context";
import { PublishDialog } from "@/components/publish/publish-dialog";

/** Bar on top, drawing in the middle, the selected step's settings on the right. */
export function EditorFrame() {
  const [isOutlineOpen, setOutlineOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPublishOpen, setPublishOpen] = useState(false);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const openPublish = useCallback(() => {
    if (!isReadOnly) setPublishOpen(true);
  }, [isReadOnly]);
  const controls = useCanvasControls({
    toggleOutline: () => setOutlineOpen((isOpen) => !isOpen),
    openHelp: () => setHelpOpen(true),
  });
  useDocumentKeys(openPublish);
  return (
    <div className="flex h-dvh min-w-0 flex-col overflow-hidden">
      <EditorHeader controls={controls} onPublish={openPublish} />
      <ConflictBar />
      <div className="relative flex min-h-0 flex-1">
        <div className="relative flex min-w-0 flex-1 bg-canvas">
          <WorkflowCanvas controls={controls} />
          <EmptyCanvas />
          {isOutlineOpen ? <Outline controls={controls} /> : null}
          <div className="pointer-events-none absolute inset-x-0 bottom-4 z-5 flex justify-center px-3">
            <CanvasToolbar controls={controls} isOutlineOpen={isOutlineOpen} />
          </div>
        </div>
        <NodePanel controls={controls} />
      </div>
      <NodePicker />
      <ShortcutSheet isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
      {isPublishOpen ? <PublishDialog controls={controls} onClose={() => setPublishOpen(false)} /> : null}
    </div>
  );
}
