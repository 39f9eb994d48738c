import { LIMITS } from "#lib/contract/limits";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formatCount } from "#lib/support/format/format-number";
import { offerUndo } from "@/components/canvas/actions/offer-undo";
import type { EditorStore } from "@/components/canvas/store/editor-store";

interface SettingChoice {
  label: string;
  key: "maxRetries" | "continueOnFailure";
  /** Undefined for the default, which is left out. */
  value: number | true | undefined;
}

const CHOICES: readonly SettingChoice[] = [
  { label: `Retry up to ${LIMITS.maxRetries} times`, key: "maxRetries", value: LIMITS.maxRetries },
  { label: "Don't retry", key: "maxRetries", value: undefined },
  { label: "Continue on failure", key: "continueOnFailure", value: true },
  { label: "Stop on failure", key: "continueOnFailure", value: undefined },
];

function takes({ type }: GraphNode, key: SettingChoice["key"]): boolean {
  const { canContinue, canRetry } = STEP_KINDS[type];
  return key === "maxRetries" ? canContinue && canRetry : canContinue;
}

/** Returns the settings that would change at least one of several selected steps. */
export function choicesFor({ nodes }: Definition, nodeIds: readonly string[]): SettingChoice[] {
  if (nodeIds.length < 2) return [];
  const chosen = nodes.filter(({ id }) => nodeIds.includes(id));
  return CHOICES.filter(({ key, value }) => chosen.some((node) => takes(node, key) && node.data[key] !== value));
}

/** Changes a setting of every selected step that has it, as one undo step. */
export function setForSelected(editor: EditorStore, { key, value }: SettingChoice): void {
  const { definition, selectedNodeIds, edit, isReadOnly } = editor.getState();
  if (isReadOnly) return;
  let changed = 0;
  const nodes = definition.nodes.map((node) => {
    if (!selectedNodeIds.includes(node.id) || !takes(node, key) || node.data[key] === value) return node;
    changed += 1;
    const { [key]: _, ...data } = node.data;
    return { ...node, data: value === undefined ? data : { ...data, [key]: value } };
  });
  edit({ ...definition, nodes });
  offerUndo(editor, `${formatCount(changed, "step")} changed.`);
}
