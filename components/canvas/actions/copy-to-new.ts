import type { Definition } from "#lib/contract/workflow/graph";
import { extractSteps } from "#lib/core/graph/extract/extract-steps";
import { definitionSchema } from "#lib/core/steps/definition-schema";
import { formatCount } from "#lib/support/format/format-number";
import { callOperation } from "@/components/api/call-operation";
import { writeClip } from "@/components/canvas/document/clip/step-clip";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { toast } from "@/components/ui/toast";

const NAME_MAX = 180;

/**
 * Copies steps, or without any the whole workflow, to a new workflow. This one does not change.
 * Steps that read values from outside become a callable workflow with these values as its input, if that is possible.
 */
export async function copyToNew(session: DraftSession, nodeIds: readonly string[]): Promise<void> {
  const { definition, name } = session.editor.getState();
  try {
    const copyId =
      nodeIds.length === 0
        ? await duplicate(session)
        : await copyPart(definition, nodeIds, `${name.slice(0, NAME_MAX)} (part)`);
    const what = nodeIds.length === 0 ? "The workflow was" : copied(nodeIds.length);
    toast(`${what} copied to a new draft.`, {
      action: { label: "Open it", onClick: () => window.location.assign(`/workflows/${copyId}`) },
    });
  } catch (error) {
    toast.error(error instanceof Error ? error.message : "Couldn't copy the steps. Try again.");
  }
}

const copied = (count: number) => `${formatCount(count, "step")} ${count === 1 ? "was" : "were"}`;

async function duplicate(session: DraftSession): Promise<string> {
  const { workflow_id: workflowId } = session.draft.getState().facts;
  // The server copies what it has.
  if (!(await session.saveNow())) throw new Error("Your changes aren't saved yet. Try again when they are.");
  return (await callOperation("duplicate_workflow", { workflow_id: workflowId })).workflow_id;
}

async function copyPart(definition: Definition, nodeIds: readonly string[], name: string): Promise<string> {
  const part = extractSteps(definition, nodeIds, { id: "copy", name, slug: "copy" });
  const copy =
    part.kind === "extracted" ? part.callable : definitionSchema.parse(JSON.parse(writeClip(definition, nodeIds, "")));
  return (await callOperation("create_workflow", { name, definition: copy })).workflow_id;
}
