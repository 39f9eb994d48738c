import type { Definition } from "#lib/contract/workflow/graph";
import { isDisabled } from "#lib/core/steps/is-disabled";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { toast } from "@/components/ui/toast";

/** Returns what the command does with a selection; null if it holds no step that can be disabled. */
export function disableWord({ nodes }: Definition, nodeIds: readonly string[]): "Disable" | "Enable" | null {
  const chosen = nodes.filter(({ id, type }) => nodeIds.includes(id) && STEP_KINDS[type].canDisable);
  if (chosen.length === 0) return null;
  return chosen.every(isDisabled) ? "Enable" : "Disable";
}

/** Disables the selected steps, or enables them if all are disabled, as one undo step. */
export function toggleDisabled(editor: EditorStore): void {
  const { definition, selectedNodeIds, edit, isReadOnly } = editor.getState();
  if (isReadOnly || selectedNodeIds.length === 0) return;
  const word = disableWord(definition, selectedNodeIds);
  if (word === null) {
    toast.message("You can't disable a start step or a Return Output step.");
    return;
  }
  const nodes = definition.nodes.map((node) => {
    if (!selectedNodeIds.includes(node.id) || !STEP_KINDS[node.type].canDisable) return node;
    // A setting that is off is left out, so that enabling a step restores it as it was.
    const { disabled: _, ...data } = node.data;
    return { ...node, data: word === "Disable" ? { ...data, disabled: true } : data };
  });
  edit({ ...definition, nodes });
}
