import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { templateReferences } from "#lib/core/expressions/template-references";
import { listTemplates } from "#lib/core/graph/checks/list-templates";
import { ADDRESS_FIELD, type GraphIndex, indexGraph, loopIdsAround } from "#lib/core/graph/edges";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** A step that reads the address of another step, and can pass it on. */
export interface AddressReader {
  reader: GraphNode;
  target: GraphNode;
  /** The number of loops around the step with the address. */
  targetDepth: number;
}

/** Lists who reads an address (decisions, Callbacks), in the order of the definition. */
export function listAddressReaders(definition: Definition): AddressReader[] {
  const targets = definition.nodes.filter((node) => STEP_KINDS[node.type].hasAddress);
  if (targets.length === 0) return [];
  const index = indexGraph(definition);
  return definition.nodes.flatMap((reader) => targetsOf(index, reader, targets));
}

function targetsOf(index: GraphIndex, reader: GraphNode, targets: readonly GraphNode[]): AddressReader[] {
  const references = listTemplates(reader).flatMap(({ text }) => templateReferences(text));
  const { jsonata } = reader.data;
  // An expression gets every step whose name is one of its words.
  const words: string[] = typeof jsonata === "string" ? (jsonata.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []) : [];
  return targets
    .filter(({ id }) => {
      if (id === reader.id) return false;
      const isRead = ({ name, path: [field] }: (typeof references)[number]) =>
        name === id && (field === undefined || field === ADDRESS_FIELD);
      return words.includes(id) || references.some(isRead);
    })
    .map((target) => ({ reader, target, targetDepth: loopIdsAround(index, target).size }));
}
