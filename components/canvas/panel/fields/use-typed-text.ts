import { useState } from "react";
import type { NodeField } from "@/components/canvas/panel/fields/panel-context";

interface TypedText {
  text: string;
  change: (text: string) => void;
  leave: () => void;
}

/**
 * Holds the text of a field whose value isn't plain text. While the user types, their own text is shown, because "1."
 * and a half-written object would not survive parsing and printing. It is dropped when the value changes otherwise
 * (undo) or the user leaves the field.
 */
export function useTypedText(
  field: NodeField,
  print: (value: unknown) => string,
  parse: (text: string) => unknown,
): TypedText {
  const [typed, setTyped] = useState<{ text: string; value: unknown } | null>(null);
  return {
    text: typed !== null && Object.is(typed.value, field.value) ? typed.text : print(field.value),
    change: (text) => {
      const value = parse(text);
      setTyped({ text, value });
      field.set(value);
    },
    leave: () => {
      setTyped(null);
      field.leave();
    },
  };
}
