import { LIMITS } from "#lib/contract/limits";
import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { FAILED_HANDLE } from "#lib/core/engine/choose-path";
import { createCertainSteps } from "#lib/core/graph/certain-steps";
import { type GraphIndex, indexGraph } from "#lib/core/graph/edges";
import { createEdge } from "#lib/core/graph/edits/create-edge";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";
import {
  type Carried,
  type CarriedValue,
  carriedObject,
  carriedProperties,
  carryValues,
  readCarried,
} from "#lib/core/graph/extract/carry-values";
import { type Border, crossingReferences, findBorder } from "#lib/core/graph/extract/find-border";
import { shapesOf } from "#lib/core/graph/node-shapes";
import { allBranches, type StepKind } from "#lib/core/steps/define-step-kind";
import { isBypass, isDisabled } from "#lib/core/steps/is-disabled";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { nextFreeName } from "#lib/support/format/next-free-name";

/** The step that takes the place of the extracted ones. */
export interface ReplacingStep {
  id: string;
  name: string;
  /** The action that the extracted steps become. */
  slug: string;
}

export type Extraction =
  | { kind: "refused"; reason: string }
  | {
      kind: "extracted";
      /** The new callable workflow. */
      callable: Definition;
      /** The workflow with one step in the place of the extracted ones. */
      replaced: Definition;
      inputs: readonly CarriedValue[];
      outputs: readonly CarriedValue[];
    };

/**
 * Moves steps into a callable workflow and replaces them with one step that runs it. The values that they read from
 * outside become its input, and the values that later steps read become its output.
 */
export function extractSteps(definition: Definition, nodeIds: Iterable<string>, step: ReplacingStep): Extraction {
  const index = indexGraph(definition);
  const border = findBorder(index, nodeIds);
  if (typeof border === "string") return { kind: "refused", reason: border };
  const inside = definition.nodes.filter(({ id }) => border.ids.has(id));
  const outside = definition.nodes.filter(({ id }) => !border.ids.has(id));
  const [start, end] = [nextFreeName("start", border.ids), nextFreeName("result", border.ids)];
  const inputs = carryInputs(index, border, inside);
  const drawn = drawCallable(index, border, {
    start,
    end,
    inside: inside.map((node) => readCarried(node, "action_input", inputs)),
  });
  const inner = indexGraph(drawn);
  const firsts = drawn.edges.filter(({ source }) => source === start);
  if (border.outOf.length > 0 && !firsts.some(({ target }) => alwaysReaches(inner, target, end))) {
    const reason =
      "What follows the selection runs only on some of its branches. Select the steps up to where the branches meet.";
    return { kind: "refused", reason };
  }
  const certain = createCertainSteps(inner);
  const outputs = carryValues(
    outside.flatMap((node) => crossingReferences(index, border.ids, node)),
    shapesOf(index),
    { isCertain: ({ id }) => certain.isCertain(end, id), typedMax: LIMITS.inputProperties },
  );
  return {
    kind: "extracted",
    callable: placeNodes({
      ...drawn,
      nodes: drawn.nodes.map((node) => declare(node, { start, end }, { inputs, outputs })),
    }),
    replaced: replaceSteps(definition, border, step, { inputs, outputs }),
    inputs: inputs.values,
    outputs: outputs.values,
  };
}

function carryInputs(index: GraphIndex, { ids, outermost }: Border, inside: readonly GraphNode[]): Carried {
  const certain = createCertainSteps(index);
  const [first] = outermost.filter(({ id }) => (index.incoming.get(id) ?? []).every(({ source }) => !ids.has(source)));
  const crossings = inside.flatMap((node) => crossingReferences(index, ids, node));
  return carryValues(crossings, shapesOf(index), {
    isCertain: ({ id }) => first !== undefined && certain.isCertain(first.id, id),
    // One property is left for `data`.
    typedMax: LIMITS.inputProperties - 1,
  });
}

interface Drawing {
  start: string;
  end: string;
  inside: readonly GraphNode[];
}

/** Draws the extracted steps between a start and an end. */
function drawCallable(
  index: GraphIndex,
  { ids, outermost, outOf }: Border,
  { start, end, inside }: Drawing,
): Definition {
  const top = new Set(outermost.map(({ id }) => id));
  // All at one place, so that they are placed again: the former places depend on steps that stay.
  const position = { x: 0, y: 0 };
  const nodes: GraphNode[] = [
    { id: start, type: "action_input", position, data: { properties: [] } },
    ...inside.map((node) => {
      if (!top.has(node.id)) return node;
      const { parentId: _frame, ...free } = node;
      return { ...free, position };
    }),
    { id: end, type: "return_output", position, data: { properties: [] } },
  ];
  const edges = index.definition.edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const connect = (edge: Pick<GraphEdge, "source" | "target" | "sourceHandle">) => {
    const isThere = edges.some(({ source, target, sourceHandle }) => {
      return source === edge.source && target === edge.target && (sourceHandle ?? null) === (edge.sourceHandle ?? null);
    });
    if (!isThere) edges.push(createEdge(edges, edge));
  };
  for (const { id } of outermost) {
    const arriving = index.incoming.get(id) ?? [];
    if (arriving.length === 0 || arriving.some(({ source }) => !ids.has(source)))
      connect({ source: start, target: id });
    if (outOf.length === 0 && (index.outgoing.get(id) ?? []).length === 0) connect({ source: id, target: end });
  }
  for (const { source, sourceHandle } of outOf) connect({ source, sourceHandle, target: end });
  return { nodes, edges };
}

interface Contract {
  inputs: Carried;
  outputs: Carried;
}

/** Writes the fields of the start and the end. */
function declare(
  node: GraphNode,
  { start, end }: Pick<Drawing, "start" | "end">,
  { inputs, outputs }: Contract,
): GraphNode {
  if (node.id === start) {
    const properties = carriedProperties(inputs.values).map((property) => ({ ...property, required: true }));
    return { ...node, data: { properties } };
  }
  if (node.id !== end) return node;
  const values = carriedObject(outputs.values);
  const properties = carriedProperties(outputs.values).map((property) => {
    return { ...property, required: true, value: values[property.name] };
  });
  return { ...node, data: { properties } };
}

/** Puts one step in the place of the extracted ones. */
function replaceSteps(
  definition: Definition,
  border: Border,
  step: ReplacingStep,
  { inputs, outputs }: Contract,
): Definition {
  const { ids, outermost, into, outOf } = border;
  const [first] = outermost;
  const node: GraphNode = {
    id: step.id,
    type: "sub_workflow",
    position: {
      x: Math.min(...outermost.map(({ position }) => position.x)),
      y: Math.min(...outermost.map(({ position }) => position.y)),
    },
    ...(first?.parentId === undefined ? {} : { parentId: first.parentId }),
    data: { name: step.name, action_slug: step.slug, input: carriedObject(inputs.values) },
  };
  const nodes = definition.nodes.flatMap((other) => {
    if (other === first) return [node];
    return ids.has(other.id) ? [] : [readCarried(other, step.id, outputs)];
  });
  const edges = definition.edges.filter(({ source, target }) => !ids.has(source) && !ids.has(target));
  const connections = [
    ...into.map(({ source, sourceHandle }) => ({ source, sourceHandle, target: step.id })),
    ...outOf.map(({ target }) => ({ source: step.id, target })),
  ];
  for (const { key: _, ...connection } of unique(connections)) edges.push(createEdge(edges, connection));
  return { nodes, edges };
}

function unique<T extends Pick<GraphEdge, "source" | "target"> & { sourceHandle?: string | null | undefined }>(
  connections: readonly T[],
) {
  const keyed = connections.map((connection) => {
    const { source, target, sourceHandle = null } = connection;
    return { ...connection, key: JSON.stringify([source, target, sourceHandle]) };
  });
  return [...new Map(keyed.map((connection) => [connection.key, connection])).values()];
}

/**
 * Returns true if a run that starts at a node certainly reaches another one, whatever branches its steps take. A run that
 * fails or is canceled on the way reaches nothing behind it anyway.
 */
function alwaysReaches({ nodes, outgoing }: GraphIndex, fromId: string, toId: string): boolean {
  // Until a node is decided, a path back to it proves nothing: in a draft, edges can form a cycle.
  const known = new Map<string, boolean>([[toId, true]]);
  const leads = (id: string): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, false);
    const node = nodes.get(id);
    const isSure = node !== undefined && everyBranchLeads(node, outgoing.get(id) ?? [], leads);
    known.set(id, isSure);
    return isSure;
  };
  return leads(fromId);
}

function everyBranchLeads(node: GraphNode, edges: readonly GraphEdge[], leads: (id: string) => boolean): boolean {
  if (isDisabled(node)) return edges.some((edge) => isBypass(node, edge) && leads(edge.target));
  const kind: StepKind = STEP_KINDS[node.type];
  const leadsOn = (handle: string | null) =>
    edges.some((edge) => (edge.sourceHandle ?? kind.namelessHandle ?? null) === handle && leads(edge.target));
  const isDrawn = (handle: string | null) =>
    edges.some((edge) => (edge.sourceHandle ?? kind.namelessHandle ?? null) === handle);
  const branches = allBranches(kind, node.data);
  const failed = branches.filter(({ isFailure }) => isFailure && isDrawn(FAILED_HANDLE));
  if (!failed.every(({ handle }) => leadsOn(handle))) return false;
  if (leadsOn(null)) return true;
  // A branch of a waiting step that no one drew ends the run.
  const taken = branches.filter(({ handle, isFailure }) => !isFailure && (kind.effects !== "waits" || isDrawn(handle)));
  return taken.length > 0 && taken.every(({ handle }) => leadsOn(handle));
}
