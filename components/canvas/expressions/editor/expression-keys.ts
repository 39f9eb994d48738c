import {
  history,
  insertNewlineKeepIndent,
  redo,
  redoDepth,
  standardKeymap,
  undo,
  undoDepth,
} from "@codemirror/commands";
import { type Extension, Prec } from "@codemirror/state";
import { type Command, type EditorView, keymap } from "@codemirror/view";
import {
  closeChip,
  leaveExpression,
  openAdjacentChip,
  openSelectedChip,
} from "@/components/canvas/expressions/editor/chip-commands";
import { COMPLETION_KEYS } from "@/components/canvas/expressions/editor/expression-completion";

interface HistoryKeys {
  /** Continue outside of the field, when it has nothing to undo or redo. */
  undoBefore: () => void;
  redoAfter: () => void;
}

/**
 * The keys of a field: those of a text field, of its list and of its chips. Every other combination reaches the page, such
 * as ⌘↵ and ⌘S.
 */
export function expressionKeys(isMultiline: boolean, { undoBefore, redoAfter }: HistoryKeys): Extension {
  const undoHere: Command = (view) => (undoDepth(view.state) > 0 ? undo(view) : run(undoBefore));
  const redoHere: Command = (view) => (redoDepth(view.state) > 0 ? redo(view) : run(redoAfter));
  /** Reads the key as the canvas does: with Shift and Caps Lock, the letter is a small one. */
  function travel(view: EditorView, { key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
    const letter = (ctrlKey || metaKey) && !altKey ? key.toLowerCase() : "";
    if (letter === "z") return shiftKey ? redoHere(view) : undoHere(view);
    return letter === "y" && redoHere(view);
  }
  return [
    history(),
    Prec.high(
      keymap.of([
        ...COMPLETION_KEYS,
        { key: "Escape", run: closeChip },
        { key: "Enter", run: leaveExpression },
        { key: "Enter", run: openSelectedChip },
        ...(isMultiline
          ? [{ key: "Enter", run: insertNewlineKeepIndent, shift: insertNewlineKeepIndent }]
          : [
              { key: "Enter", run: openAdjacentChip },
              { key: "Enter", run: () => true, shift: () => true },
            ]),
        { any: travel },
      ]),
    ),
    keymap.of(standardKeymap),
  ];
}

function run(step: () => void): true {
  step();
  return true;
}
