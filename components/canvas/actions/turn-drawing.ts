import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition } from "#lib/contract/workflow/graph";
import { tidy } from "@/components/canvas/actions/canvas-actions";
import { branchesOf } from "@/components/canvas/document/branches-of";
import type { Sizes } from "@/components/canvas/document/dimensions";
import { portsLength } from "@/components/canvas/lines/port-places";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import type { EditorStore } from "@/components/canvas/store/editor-store";

const TURNED = { vertical: "horizontal", horizontal: "vertical" } as const satisfies Record<Orientation, Orientation>;

/** What turning does to a drawing of each orientation. */
export const TURN_WORDS = {
  vertical: "Draw from left to right",
  horizontal: "Draw from top to bottom",
} as const satisfies Record<Orientation, string>;

/**
 * Lays out the drawing in the other direction, as one undo step, and shows all of it. With a selected step the view
 * follows that step.
 */
export async function turnDrawing(editor: EditorStore, controls: Pick<CanvasControls, "fit">): Promise<void> {
  const { definition, sizes, orientation, isReadOnly } = editor.getState();
  if (isReadOnly) return;
  await tidy(editor, { sizes: sizesThatStay(definition, sizes), orientation: TURNED[orientation] });
  if (editor.getState().selectedNodeIds.length !== 1) controls.fit();
}

/** Cards with several ports change their height when these move to the other side, so their old size does not count. */
function sizesThatStay(definition: Definition, sizes: Sizes): Sizes {
  const isKept = new Set(
    definition.nodes
      .filter((node) => portsLength(branchesOf(node, definition.edges), "horizontal") === 0)
      .map(({ id }) => id),
  );
  return Object.fromEntries(Object.entries(sizes).filter(([id]) => isKept.has(id)));
}
