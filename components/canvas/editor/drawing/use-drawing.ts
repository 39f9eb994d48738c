import { useStore } from "zustand";
import { analyse } from "@/components/canvas/document/analysis";
import { type Projection, projectDefinition } from "@/components/canvas/editor/drawing/project-definition";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import type { CanvasEditor, EditorStore } from "@/components/canvas/store/editor-store";

type Draw = (state: CanvasEditor) => Projection;

const drawings = new WeakMap<EditorStore, Draw>();

/** Returns the current drawing, or a part of it. The caller renders again when that part changes. */
export function useDrawing<T>(selector: (drawing: Projection) => T): T {
  const editor = useEditorStore();
  const draw = drawingOf(editor);
  return useStore(editor, (state) => selector(draw(state)));
}

/** Returns the current drawing outside of React. */
export function currentDrawing(editor: EditorStore): Projection {
  return drawingOf(editor)(editor.getState());
}

function drawingOf(editor: EditorStore): Draw {
  const before = drawings.get(editor);
  if (before !== undefined) return before;
  const draw = createDraw();
  drawings.set(editor, draw);
  return draw;
}

/** Every card calls this, so the drawing is computed once for each state that changes its content. */
function createDraw(): Draw {
  let last: Projection | null = null;
  let drawn: CanvasEditor | null = null;
  return (state) => {
    if (last === null || drawn === null || !isSameView(drawn, state)) {
      last = projectDefinition({ ...state, analysis: analyse(state.definition) }, last);
    }
    drawn = state;
    return last;
  };
}

function isSameView(before: CanvasEditor, after: CanvasEditor): boolean {
  return (
    before === after ||
    (before.definition === after.definition &&
      before.selectedNodeIds === after.selectedNodeIds &&
      before.selectedEdgeIds === after.selectedEdgeIds &&
      before.dropFrame === after.dropFrame &&
      before.sizes === after.sizes &&
      before.orientation === after.orientation &&
      before.typingIn === after.typingIn &&
      before.freshNodes === after.freshNodes &&
      before.isReadOnly === after.isReadOnly &&
      before.isChecked === after.isChecked)
  );
}
