import type { DescribeReference } from "@/components/canvas/expressions/editor/chip-facts";
import type { CompletionSource } from "@/components/canvas/expressions/editor/list-completions";

/** A text with expressions and what surrounds it. The value is controlled. */
export interface ExpressionText {
  id: string;
  /** The accessible name, or the id of the element that has it. */
  label?: string | undefined;
  labelledBy?: string | undefined;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  isReadOnly?: boolean;
  /** The field's name in problems. */
  fieldName: string;
  value: string;
  onChange: (text: string) => void;
  onEnter?: () => void;
  onLeave?: () => void;
  /** Continue when the field itself has nothing to undo or redo. */
  onUndo?: () => void;
  onRedo?: () => void;
  /** The values that its expressions can read, nearest first. */
  sources: readonly CompletionSource[];
  describe: DescribeReference;
  /** Differs when `describe` returns something else for a reference of the text. */
  factsKey: string;
  placeholder?: string | undefined;
  /** The minimum number of lines; with 1, the text has no line breaks. */
  rows?: number;
}
