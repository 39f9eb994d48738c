import { EditorSelection, type EditorState, type Extension } from "@codemirror/state";
import { type Command, EditorView } from "@codemirror/view";
import { isChip } from "@/components/canvas/expressions/editor/expression-marks";
import {
  expressionAround,
  type FoundExpression,
  findExpressions,
} from "@/components/canvas/expressions/editor/find-expressions";

/** The length of `}}`: an opened chip has the caret before it. */
const BRACES = 2;

function chipsOf(state: EditorState): FoundExpression[] {
  return findExpressions(state.doc.toString()).filter((found) => isChip(state, found));
}

function open(view: EditorView, { to }: FoundExpression): void {
  view.dispatch({ selection: EditorSelection.cursor(to - BRACES), scrollIntoView: true, userEvent: "select" });
}

/** Shows the selected chip as text, to edit it. */
export const openSelectedChip: Command = (view) => {
  const { main } = view.state.selection;
  const chip = chipsOf(view.state).find(({ from, to }) => from === main.from && to === main.to);
  if (chip !== undefined) open(view, chip);
  return chip !== undefined;
};

/** Shows the chip next to the caret as text, first the one before it. */
export const openAdjacentChip: Command = (view) => {
  const { main } = view.state.selection;
  if (!main.empty) return false;
  const chips = chipsOf(view.state);
  const chip = chips.find(({ to }) => to === main.head) ?? chips.find(({ from }) => from === main.head);
  if (chip !== undefined) open(view, chip);
  return chip !== undefined;
};

/** Moves the caret behind the expression that contains it, which makes a reference a chip again. */
export const leaveExpression: Command = (view) => leave(view, () => true);

/** Closes a chip that is open. Other expressions are always shown as text, so nothing would change for the user. */
export const closeChip: Command = (view) => leave(view, ({ isReference }) => isReference);

function leave(view: EditorView, isLeft: (around: FoundExpression) => boolean): boolean {
  const around = expressionAround(view.state.doc.toString(), view.state.selection.main.head);
  if (around === null || !isLeft(around)) return false;
  view.dispatch({ selection: EditorSelection.cursor(around.to), scrollIntoView: true, userEvent: "select" });
  return true;
}

/** A press on a chip selects it, and a double-click opens it. */
export const CHIP_POINTER: Extension = EditorView.domEventHandlers({
  mousedown: (event, view) => {
    const element = event.target instanceof Element ? event.target.closest(".expression-chip") : null;
    if (element === null || event.button !== 0 || event.shiftKey || !view.state.facet(EditorView.editable))
      return false;
    const from = view.posAtDOM(element);
    const chip = chipsOf(view.state).find((found) => found.from === from);
    if (chip === undefined) return false;
    event.preventDefault();
    view.focus();
    if (event.detail > 1) open(view, chip);
    else view.dispatch({ selection: EditorSelection.range(chip.from, chip.to), userEvent: "select.pointer" });
    return true;
  },
});
