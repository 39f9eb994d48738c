import { useState } from "react";
import type { NodeField } from "@/components/canvas/panel/fields/panel-context";

interface TypedText {
  text: string;
  change: (text: string) => void;
  leave: () => void;
}

/**
 * The text of a field whose value is more than a text. While somebody types, their own text stands, because "1." and
 * a half written object would not survive being read and printed; it gives way when the value changes otherwise (undo)
 * or the field is left.
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
