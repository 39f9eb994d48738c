import { type EditorState, type Extension, type Range, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { DescribeReference } from "@/components/canvas/expressions/editor/chip-facts";
import { ChipWidget } from "@/components/canvas/expressions/editor/chip-widget";
import {
  type FoundExpression,
  findExpressions,
  findInvalid,
} from "@/components/canvas/expressions/editor/find-expressions";

/** Must be dispatched when the descriptions of references have changed, with a text that differs for each of them. */
export const refreshChips = StateEffect.define<string>();

const setFocus = StateEffect.define<boolean>();
const hasFocus = StateField.define<boolean>({
  create: () => false,
  update: (value, { effects }) => effects.findLast((effect) => effect.is(setFocus))?.value ?? value,
});

interface Marks {
  all: DecorationSet;
  /** The chips alone: the caret crosses each in one step, and one Backspace deletes it. */
  chips: DecorationSet;
}

const EXPRESSION = Decoration.mark({ class: "expression-code" });
const PATH = Decoration.mark({ class: "expression-path" });

/**
 * Draws references as chips, and marks other expressions and invalid ones. The expression that contains the caret is
 * shown as text.
 */
export function expressionMarks(describe: DescribeReference): Extension {
  const marks = StateField.define<Marks>({
    create: (state) => markExpressions(state, describe),
    update: (before, transaction) => {
      const isChanged = transaction.docChanged || transaction.selection !== undefined;
      const isStale = isChanged || transaction.effects.some((effect) => effect.is(refreshChips) || effect.is(setFocus));
      return isStale ? markExpressions(transaction.state, describe) : before;
    },
    provide: (field) => [
      EditorView.decorations.from(field, ({ all }) => all),
      EditorView.atomicRanges.of((view) => view.state.field(field).chips),
    ],
  });
  return [hasFocus, EditorView.focusChangeEffect.of((_, isFocused) => setFocus.of(isFocused)), marks];
}

function markExpressions(state: EditorState, describe: DescribeReference): Marks {
  const text = state.doc.toString();
  const chips: Range<Decoration>[] = [];
  const marks: Range<Decoration>[] = [];
  for (const found of findExpressions(text)) {
    if (isChip(state, found)) chips.push(chipOf(state, found, describe));
    else marks.push(...markText(found));
  }
  for (const { from, to, message } of findInvalid(text)) {
    const { head } = state.selection.main;
    const isTyped = state.field(hasFocus) && from <= head && head <= to;
    if (!isTyped)
      marks.push(Decoration.mark({ class: "expression-invalid", attributes: { title: message } }).range(from, to));
  }
  return { all: Decoration.set([...chips, ...marks], true), chips: RangeSet.of(chips) };
}

/** Returns true for a reference that is drawn as a chip: no end of the selection is between its braces. */
export function isChip(state: EditorState, { from, to, isReference }: FoundExpression): boolean {
  const { anchor, head } = state.selection.main;
  return isReference && ![anchor, head].some((position) => from < position && position < to);
}

function chipOf(
  state: EditorState,
  { from, to, source }: FoundExpression,
  describe: DescribeReference,
): Range<Decoration> {
  const { main } = state.selection;
  const isSelected = main.from <= from && to <= main.to;
  return Decoration.replace({ widget: new ChipWidget({ source, facts: describe(source), isSelected }) }).range(
    from,
    to,
  );
}

function markText({ from, to, paths }: FoundExpression): Range<Decoration>[] {
  return [EXPRESSION.range(from, to), ...paths.map((path) => PATH.range(path.from, path.to))];
}
