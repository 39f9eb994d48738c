import type { RunObject } from "#lib/contract/run/run";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formatCount } from "#lib/support/format/format-number";
import { isEnd } from "@/components/canvas/document/branches-of";
import { frameOfNode, ROOT } from "@/components/canvas/document/frames";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { pinOf } from "@/components/canvas/testing/choose-pins";

/**
 * Pins the outputs of a run's steps that exist in the draft. A pinned loop needs no pins for its body.
 * @returns what was pinned, for the user. Redacted values are never pinned as if they were real.
 */
export function pinRun({ editor, tests }: DraftSession, run: RunObject): string {
  const { definition } = editor.getState();
  let [pinned, redacted, tooLarge] = [0, 0, 0];
  for (const step of run.steps) {
    const node = definition.nodes.find(({ id }) => id === step.step_id);
    if (node === undefined || step.status !== "completed" || step.iteration !== null) continue;
    if (!STEP_KINDS[node.type].hasInput || isEnd(node) || frameOfNode(definition, node.id) !== ROOT) continue;
    const pin = pinOf({ step, runId: run.run_id });
    if (pin === null) {
      tooLarge += 1;
      continue;
    }
    tests.getState().pin(node.id, pin);
    pinned += 1;
    if (JSON.stringify(pin.value ?? null).includes("[REDACTED")) redacted += 1;
  }
  if (pinned + tooLarge === 0) return "This run has no outputs that can be pinned.";
  const parts = [`${formatCount(pinned, "output")} pinned.`];
  if (redacted > 0) {
    parts.push(`${redacted} with redacted values: tests use the original values until Signalbox deletes them.`);
  }
  if (tooLarge > 0) parts.push(`${tooLarge} too large to pin.`);
  return parts.join(" ");
}
