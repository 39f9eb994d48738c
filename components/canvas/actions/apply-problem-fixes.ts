import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { formatCount } from "#lib/support/format/format-number";
import { offerUndo } from "@/components/canvas/actions/offer-undo";
import { analyse } from "@/components/canvas/document/analysis";
import { serverProblems } from "@/components/canvas/document/server-problems";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { toast } from "@/components/ui/toast";

/** Applies the fixes of these problems as one undo step. */
export function applyProblemFixes(session: DraftSession, problems: readonly GraphProblem[]): Promise<void> {
  return applyAs(session, () => problems);
}

/** Applies every fix, also of problems that appear with the others, as one undo step. */
export function applyAllFixes(session: DraftSession): Promise<void> {
  return applyAs(session, (definition) => {
    const { problems, warnings } = analyse(definition);
    const { checked, facts } = session.draft.getState();
    const local = [...problems, ...warnings];
    return [...local, ...serverProblems(definition, checked, facts.problems, local)];
  });
}

async function applyAs(
  { editor }: DraftSession,
  check: (definition: Definition) => readonly GraphProblem[],
): Promise<void> {
  const { applyFixes } = await import("#lib/core/graph/edits/apply-fixes");
  const { definition: before } = editor.getState();
  const { definition, applied } = await applyFixes(before, check);
  if (editor.getState().definition !== before) return;
  editor.getState().edit(definition);
  if (applied.length === 0) toast.message("This fix doesn't fit the workflow anymore.");
  else offerUndo(editor, `${formatCount(applied.length, "fix", "fixes")} applied.`);
}
