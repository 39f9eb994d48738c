import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { rewritePaths } from "#lib/core/expressions/rewrite-paths";
import { writePath } from "#lib/core/expressions/write-expression";
import { mapTexts } from "#lib/core/graph/edits/rewrite-references";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { editNodeData, type Path } from "@/components/canvas/document/edit-data";

/** A renamed field of a node's output, and the place of the name in the node's data. */
export interface FieldRenaming {
  node: GraphNode;
  path: Path;
  from: string;
  to: string;
}

/**
 * Returns the definition with the field renamed, including every expression that reads it from the node. Neither the
 * old nor the new name may belong to another field, because then their expressions could not be distinguished.
 */
export function renameField(definition: Definition, { node, path, from, to }: FieldRenaming): Definition {
  const named = editNodeData(definition, node.id, path, to);
  if (from === "" || to === "") return named;
  const isMeant = (name: string) => name === node.id || (!STEP_KINDS[node.type].hasInput && name === node.type);
  const rewrite = (text: string) => {
    if (!text.includes("{{")) return text;
    return rewritePaths(text, ({ name, path: [first, ...rest] }, written) =>
      isMeant(name) && first === from ? writePath(name, [to, ...rest]) : written,
    );
  };
  return {
    ...named,
    nodes: named.nodes.map((other) => {
      if (other.id === node.id) return other;
      const data = mapTexts(other.data, rewrite);
      return data === other.data ? other : { ...other, data };
    }),
  };
}
