import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expressionAround } from "@/components/canvas/expressions/editor/find-expressions";
import { draggedReference } from "@/components/canvas/expressions/insert-reference";
import { openExpressionAt } from "@/components/canvas/expressions/template-parts";

/**
 * Inserts a reference, and focuses the field. Inside another expression, such as the argument of a function, it is inserted
 * without its braces; an expression that the user has started to type is completed.
 */
export function insertExpression(view: EditorView, expression: string, place: { from: number; to: number }): void {
  const text = view.state.doc.toString();
  const isInside = expressionAround(text, place.from) !== null;
  const from = isInside ? place.from : (openExpressionAt(text, place.from)?.start ?? place.from);
  const insert = isInside ? expression.slice(2, -2) : expression;
  view.dispatch({
    changes: { from, to: place.to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: "input.insert",
  });
  view.focus();
}

/** Takes a dragged reference where the pointer drops it. Other drops are handled by the editor. */
export const DROP_REFERENCES: Extension = EditorView.domEventHandlers({
  drop: (event, view) => {
    const expression = event.dataTransfer === null ? null : draggedReference(event.dataTransfer);
    if (expression === null || view.state.readOnly) return false;
    event.preventDefault();
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
    insertExpression(view, expression, { from: at, to: at });
    return true;
  },
});
