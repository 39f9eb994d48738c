import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { pinOf } from "@/components/canvas/testing/choose-pins";
import { toast } from "@/components/ui/toast";

/** Pins the selected step's last output, or unpins it. */
export function togglePin({ editor, tests }: DraftSession): void {
  const { definition, selectedNodeIds, isReadOnly } = editor.getState();
  const { pins, results, pin, unpin } = tests.getState();
  const [nodeId = ""] = selectedNodeIds;
  const node = definition.nodes.find(({ id }) => id === nodeId);
  if (isReadOnly || selectedNodeIds.length !== 1 || node === undefined) return;
  if (nodeId in pins) {
    unpin(nodeId);
    return;
  }
  const last = STEP_KINDS[node.type].hasInput ? pinOf(results[nodeId]) : null;
  if (last === null) toast.message("There is no output to pin yet. Test the step first.");
  else pin(nodeId, last);
}
