"use client";

import { Copy, CopyPlus, Trash2 } from "lucide-react";
import { deleteSelection, duplicateSelection } from "@/components/canvas/actions/canvas-actions";
import { copyByMenu } from "@/components/canvas/actions/clipboard-actions";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";

/** The place of the tools in the row of tabs, as high as the tabs. */
export const CANVAS_TOOLS = "flex min-h-10 flex-wrap items-center justify-end gap-0.5 py-1";

/** Replaces the canvas toolbar while the user selects several steps by tapping, with actions for the selection. */
export function ChoosingToolbar() {
  const editor = useEditorStore();
  const { workspace_id: workspaceId } = useSession().workspace;
  const count = useEditor((state) => state.selectedNodeIds.length + state.selectedNoteIds.length);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <div role="toolbar" aria-label="Selected steps" className={CANVAS_TOOLS}>
      <span role="status" className="px-2 whitespace-nowrap">
        {count === 0 ? "Tap steps to select them" : `${count} selected`}
      </span>
      <IconButton
        icon={Copy}
        label="Copy"
        shortcut="⌘C"
        disabled={count === 0}
        onClick={() => void copyByMenu(editor, workspaceId, false)}
      />
      {isReadOnly ? null : (
        <>
          <IconButton
            icon={CopyPlus}
            label="Duplicate"
            shortcut="⌘D"
            disabled={count === 0}
            onClick={() => duplicateSelection(editor)}
          />
          <IconButton
            icon={Trash2}
            label="Delete"
            shortcut="Del"
            disabled={count === 0}
            onClick={() => deleteSelection(editor)}
          />
        </>
      )}
      <Button variant="ghost" onClick={() => editor.getState().chooseSeveral(false)}>
        Done
      </Button>
    </div>
  );
}
