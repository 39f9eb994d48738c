import type { ExpressionEditor } from "@/components/canvas/expressions/editor/expression-editor";

type Editor = typeof ExpressionEditor;

let loaded: Editor | null = null;

/** Loads the editor of expressions, about 90 kB, which the drawing doesn't wait for. */
export async function loadExpressionEditor(): Promise<Editor> {
  loaded ??= (await import("@/components/canvas/expressions/editor/expression-editor")).ExpressionEditor;
  return loaded;
}

/** Returns the editor if it is loaded already. */
export function loadedExpressionEditor(): Editor | null {
  return loaded;
}
