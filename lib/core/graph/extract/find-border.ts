import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { templateReferences } from "#lib/core/expressions/template-references";
import { listAddressReaders } from "#lib/core/graph/compare/list-address-readers";
import { findNamedNode, type GraphIndex, upstreamIds } from "#lib/core/graph/edges";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { quoteName } from "#lib/support/list-suggestions";

/** The steps to extract, and the edges that cross their border. */
export interface Border {
  /** With everything inside the loops among them. */
  ids: ReadonlySet<string>;
  /** The steps that are not inside another one of them. */
  outermost: readonly GraphNode[];
  into: readonly GraphEdge[];
  outOf: readonly GraphEdge[];
}

/** Returns the border of a selection, or why one step can't take its place. */
export function findBorder(index: GraphIndex, nodeIds: Iterable<string>): Border | string {
  const { definition } = index;
  const ids = withBodies(definition, nodeIds);
  const nodes = definition.nodes.filter(({ id }) => ids.has(id));
  const outermost = nodes.filter(({ parentId }) => parentId === undefined || !ids.has(parentId));
  const border: Border = {
    ids,
    outermost,
    into: definition.edges.filter(({ source, target }) => !ids.has(source) && ids.has(target)),
    outOf: definition.edges.filter(({ source, target }) => ids.has(source) && !ids.has(target)),
  };
  return (
    refuseSteps(nodes, outermost) ??
    refuseGates(index, nodes) ??
    refusePrograms(index, ids) ??
    refuseAddresses(definition, ids) ??
    refuseBetween(index, border) ??
    refuseEntrances(index, border) ??
    refuseExits(border) ??
    border
  );
}

function withBodies({ nodes }: Definition, nodeIds: Iterable<string>): Set<string> {
  const ids = new Set(nodeIds);
  // Iterating a Set includes entries added during the iteration.
  for (const id of ids) for (const node of nodes) if (node.parentId === id) ids.add(node.id);
  return ids;
}

function refuseSteps(nodes: readonly GraphNode[], outermost: readonly GraphNode[]): string | null {
  if (nodes.length === 0) return "Select the steps to extract.";
  const fixed = nodes.find(({ type }) => !STEP_KINDS[type].fitsInLoop);
  if (fixed) {
    const does = STEP_KINDS[fixed.type].isResult ? "ends" : "starts";
    return `${quoteName(nodeLabel(fixed))} ${does} this workflow, so it stays here. Leave it out of the selection.`;
  }
  const frames = new Set(outermost.map(({ parentId }) => parentId));
  if (frames.size <= 1) return null;
  return "The selected steps aren't all in the same loop. Select only steps inside one loop, or only steps outside loops.";
}

/** A rejected approval ends the run as canceled. A run that a step started can't do that to the run of the step. */
function refuseGates({ outgoing }: GraphIndex, nodes: readonly GraphNode[]): string | null {
  const gate = nodes.find(
    ({ id, type }) =>
      type === "approval" && !(outgoing.get(id) ?? []).some(({ sourceHandle }) => sourceHandle === "rejected"),
  );
  if (!gate) return null;
  return `${quoteName(nodeLabel(gate))} cancels the whole run when it is rejected, which it can't do from a sub-workflow. Draw its Rejected branch first.`;
}

/** JSONata reads every step whose name is one of its words, and its paths can't be rewritten. */
function refusePrograms({ definition, nodes, entry }: GraphIndex, ids: ReadonlySet<string>): string | null {
  for (const node of definition.nodes) {
    const { jsonata } = node.data;
    const words = typeof jsonata === "string" ? (jsonata.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []) : [];
    const other = words
      .map((word) => nodes.get(word) ?? (word === entry?.type ? entry : undefined))
      .find((named) => named !== undefined && ids.has(named.id) !== ids.has(node.id));
    if (other) {
      return `${quoteName(nodeLabel(node))} reads ${quoteName(nodeLabel(other))} with JSONata, which can't be rewritten. Select both or neither, or use fields instead of JSONata.`;
    }
  }
  return null;
}

/** The address of a step exists only in its own run. */
function refuseAddresses(definition: Definition, ids: ReadonlySet<string>): string | null {
  const read = listAddressReaders(definition).find(({ reader, target }) => {
    return ids.has(target.id) && !ids.has(reader.id);
  });
  if (!read) return null;
  return `${quoteName(nodeLabel(read.reader))} passes on the address of ${quoteName(nodeLabel(read.target))}. Select it too.`;
}

/** One step can't run both before and after a step that stays. */
function refuseBetween(index: GraphIndex, { ids, into, outOf }: Border): string | null {
  const followers = new Set(outOf.map(({ target }) => target));
  for (const { source } of into) {
    const before = upstreamIds(index, source).add(source);
    const between = index.definition.nodes.find(({ id }) => !ids.has(id) && followers.has(id) && before.has(id));
    if (between) return `${quoteName(nodeLabel(between))} runs between the selected steps. Select it too.`;
  }
  return null;
}

/** All first steps must start at the same moment: when the step that takes their place starts. */
function refuseEntrances({ incoming }: GraphIndex, border: Border): string | null {
  const firsts = border.outermost.flatMap((node) => {
    const edges = incoming.get(node.id) ?? [];
    const crossing = edges.filter(({ source }) => !border.ids.has(source));
    return crossing.length > 0 || edges.length === 0 ? [{ node, key: keyOf(crossing, "source") }] : [];
  });
  const [first, ...others] = firsts;
  const other = others.find(({ key }) => key !== first?.key);
  if (!first || !other) return null;
  return `The selection has two entrances, ${quoteName(nodeLabel(first.node))} and ${quoteName(nodeLabel(other.node))}. Select steps that all start after the same step.`;
}

/** A step that runs an action has one output, so all that follows must start on the same branches. */
function refuseExits({ outOf }: Border): string | null {
  const exits = Map.groupBy(outOf, ({ target }) => target);
  const keys = new Set([...exits.values()].map((edges) => keyOf(edges, "source")));
  if (keys.size <= 1) return null;
  return "The selection has two exits: different steps follow different branches. Select the steps up to where the branches meet.";
}

function keyOf(edges: readonly GraphEdge[], end: "source" | "target"): string {
  return edges
    .map((edge) => JSON.stringify([edge[end], edge.sourceHandle ?? ""]))
    .sort()
    .join();
}

/** Lists every reference in a node's settings to a step on the other side of the border. */
export function crossingReferences(index: GraphIndex, ids: ReadonlySet<string>, node: GraphNode) {
  return templateReferences(node.data).flatMap((reference) => {
    const named = findNamedNode(index, reference.name);
    return named !== null && ids.has(named.id) !== ids.has(node.id) ? [{ reference, named }] : [];
  });
}
