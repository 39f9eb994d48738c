import { LIMITS } from "#lib/contract/limits";
import type { Definition } from "#lib/contract/workflow/graph";
import { formatCount } from "#lib/support/format/format-number";
import { insertAt } from "@/components/canvas/actions/canvas-actions";
import type { CatalogEntry, EntryChoice } from "@/components/canvas/catalog/catalog-entry";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { insertFragment } from "@/components/canvas/layout/insert-fragment";
import { insertRefusal } from "@/components/canvas/layout/insert-node";
import type { EditorStore } from "@/components/canvas/store/editor-store";

/** Returns why an entry can't be added at this spot, or null when it can. */
export function entryRefusal(definition: Definition, { choice }: CatalogEntry, spot: InsertSpot): string | null {
  if (choice.kind === "app") return null;
  if (choice.kind === "step") return insertRefusal(definition, choice.step.type, spot);
  const { nodes } = choice.fragment.definition;
  if (definition.nodes.length + nodes.length > LIMITS.graphNodes)
    return `A workflow can have up to ${formatCount(LIMITS.graphNodes, "step")}`;
  const refusals = nodes.map(({ type }) => insertRefusal(definition, type, spot));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

/** Adds a step or connected steps as one edit, and opens the first of them. */
export function insertEntry(
  editor: EditorStore,
  choice: Exclude<EntryChoice, { kind: "app" }>,
  spot: InsertSpot,
): void {
  if (choice.kind === "step") {
    insertAt(editor, choice.step, spot);
    return;
  }
  const { definition, sizes, edit, openFresh } = editor.getState();
  const insertion = insertFragment(definition, choice.fragment.definition, spot, sizes);
  if (insertion === null) return;
  edit(insertion.definition);
  openFresh(insertion.nodeId);
}
