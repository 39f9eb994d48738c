import { editNodeData } from "@/components/canvas/document/edit-data";
import { insertReference } from "@/components/canvas/expressions/insert-reference";
import { addValue } from "@/components/canvas/panel/data/add-value";
import type { DataContext, DataNode } from "@/components/canvas/panel/data/data-node";
import { markOfPath } from "@/components/canvas/panel/data/list-data-steps";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { copyText } from "@/components/ui/copy-text";

/** Inserts an expression into the field that was focused last. Without one, it is copied. */
export function insertOrCopy(expression: string): void {
  if (!insertReference(expression)) copyText(expression, `Copied ${expression}. Paste it into a field.`);
}

/**
 * Inserts a value into the field of a step that was focused last. Without one, a step that consists of named values gets
 * the value as a new one.
 */
export function insertValue(editor: EditorStore, nodeId: string, { analysis }: DataContext, value: DataNode): void {
  const { expression, step, path } = value;
  if (expression === null || insertReference(expression)) return;
  const { definition, edit, isReadOnly } = editor.getState();
  const node = definition.nodes.find(({ id }) => id === nodeId);
  const canBeMissing = step.mark !== null || markOfPath(analysis, step, path) !== null;
  const data = node === undefined || isReadOnly ? null : addValue(node, value, canBeMissing);
  if (data === null) insertOrCopy(expression);
  else edit(editNodeData(definition, nodeId, [], data));
}
