import type { Definition } from "#lib/contract/workflow/graph";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import type { SaveState } from "@/components/canvas/store/autosave";
import type { Conflict } from "@/components/canvas/store/draft-conflict";
import { NOBODY, type Presence } from "@/components/canvas/store/who-is-here";

/** The server's latest facts about the workflow, without the drawing, which is in the editor. */
export type WorkflowFacts = Omit<WorkflowDetailObject, "definition" | "notes" | "orientation">;

export interface DraftState {
  status: SaveState;
  facts: WorkflowFacts;
  /** The drawing whose problems are among the facts. */
  checked: Definition;
  /** True when the page opened with changes that were only in this browser. */
  isRestored: boolean;
  /** Set when another user saved first and both changed the same part, so the user has to choose. */
  conflict: Conflict | null;
  /** How many times other users' changes were merged with the user's own. */
  merges: number;
  /** The other users who have the workflow open. */
  presence: Presence;
}

export function newDraftState(workflow: WorkflowDetailObject, isRestored: boolean): DraftState {
  return {
    status: { kind: "saved", at: Date.parse(workflow.updated_at) },
    facts: factsOf(workflow),
    checked: workflow.definition,
    isRestored,
    conflict: null,
    merges: 0,
    presence: NOBODY,
  };
}

export function factsOf(workflow: WorkflowDetailObject): WorkflowFacts {
  const { definition: _drawing, notes: _notes, orientation: _orientation, ...facts } = workflow;
  return facts;
}
