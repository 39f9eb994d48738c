"use client";

import { Copy, Ellipsis, Play, StepForward, Trash2 } from "lucide-react";
import type { RefObject } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { duplicateSelection } from "@/components/canvas/actions/canvas-actions";
import { deleteWithFocus } from "@/components/canvas/actions/delete-with-focus";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useDraftSession, useEditor } from "@/components/canvas/store/draft-context";
import { runTest, testStep } from "@/components/canvas/testing/run-test";
import { IconButton } from "@/components/ui/icon-button";
import { DropdownMenu, MenuItem, MenuSeparator } from "@/components/ui/overlays/dropdown-menu";

/** The other actions of the open step. */
export function NodeMenu({ node, controls }: { node: GraphNode; controls: RefObject<CanvasControls> }) {
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
