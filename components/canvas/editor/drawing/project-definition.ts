import type { Definition, GraphEdge, GraphNode } from "#lib/contract/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { Analysis } from "@/components/canvas/document/analysis";
import { branchesOf } from "@/components/canvas/document/branches-of";
import type { Sizes } from "@/components/canvas/document/dimensions";
import { frameOfNode, framesOf, loopsAround, ROOT } from "@/components/canvas/document/frames";
import { type Cards, describeCards } from "@/components/canvas/editor/drawing/card-contents";
import { nodeSize } from "@/components/canvas/layout/node-size";
import type { TypingPlace } from "@/components/canvas/store/editor-store";
import type { Edge, Node } from "@/components/canvas/view/flow";

/**
 * A card or a loop's frame, with only the data that React Flow needs. The card reads its content by id, because React
 * Flow checks every node and line of the drawing for each change, and typing must not cause one.
 */
export type CanvasNode = Node<Record<string, never>, "step" | "loop">;

/** `addLabel` names the button on the line; null if nothing may be added. `depth` is the number of loops around it. */
export type CanvasEdgeData = { label: string; addLabel: string | null; depth: number };
export type CanvasEdge = Edge<CanvasEdgeData, "line">;

interface ProjectionInput {
  definition: Definition;
  analysis: Analysis;
  selectedNodeIds: readonly string[];
  selectedEdgeIds: readonly string[];
  dropFrame: string | null;
  sizes: Sizes;
  typingIn: TypingPlace | null;
  isReadOnly: boolean;
}

export interface Projection {
  cards: Cards;
  nodes: CanvasNode[];
  edges: CanvasEdge[];
}

const NO_DATA: Record<string, never> = {};

/**
 * Converts the document to React Flow's nodes and edges. Elements that did not change since the last projection keep
 * their identity, including the lists, so that React Flow sees only real changes.
 */
export function projectDefinition(input: ProjectionInput, last: Projection | null): Projection {
  const cards = describeCards(input, last?.cards ?? null);
  const nodes = projectNodes(input, cards, last?.nodes ?? []);
  const edges = projectEdges(input, last?.edges ?? []);
  return { cards, nodes, edges };
}

function projectNodes(input: ProjectionInput, cards: Cards, last: CanvasNode[]): CanvasNode[] {
  const before = new Map(last.map((node) => [node.id, node]));
  const selected = new Set(input.selectedNodeIds);
  // A draft from elsewhere may use an id twice. Validation reports it, and one card represents both nodes.
  const seen = new Set<string>();
  const projected: CanvasNode[] = [];
  for (const node of outerFirst(input.definition)) {
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    const look = { ariaLabel: cards.get(node.id)?.ariaLabel ?? "", isSelected: selected.has(node.id) };
    projected.push(projectNode(input, node, look, before.get(node.id)));
  }
  return keepList(last, projected);
}

/** React Flow requires a frame before its contents. */
function outerFirst(definition: Definition): readonly GraphNode[] {
  const { outerFirst: frames, bodyOf } = framesOf(definition);
  return frames.length === 1 ? definition.nodes : frames.flatMap((frame) => bodyOf.get(frame) ?? []);
}

function keepList<T>(before: T[], after: T[]): T[] {
  return before.length === after.length && after.every((item, at) => item === before[at]) ? before : after;
}

function projectNode(
  input: ProjectionInput,
  node: GraphNode,
  { ariaLabel, isSelected }: { ariaLabel: string; isSelected: boolean },
  before: CanvasNode | undefined,
): CanvasNode {
  const measured = input.sizes[node.id];
  const { position } = node;
  const frame = frameOfNode(input.definition, node.id);
  const parentId = frame === ROOT ? undefined : frame;
  const isLoop = STEP_KINDS[node.type].holdsBody;
  const { width, height } =
    measured !== undefined && !isLoop ? measured : nodeSize(input.definition, node, input.sizes);
  const className = input.dropFrame === node.id ? "is-drop-target" : "";
  const type = isLoop ? "loop" : "step";
  const isSame =
    before !== undefined &&
    before.type === type &&
    before.ariaLabel === ariaLabel &&
    before.selected === isSelected &&
    before.measured === measured &&
    before.parentId === parentId &&
    before.className === className &&
    (!isLoop || (before.width === width && before.height === height)) &&
    before.position.x === position.x &&
    before.position.y === position.y;
  if (isSame) return before;
  return {
    id: node.id,
    type,
    position,
    data: NO_DATA,
    selected: isSelected,
    ariaLabel,
    className,
    ...(parentId === undefined ? {} : { parentId }),
    ...(isLoop ? { width, height } : {}),
    ...(measured === undefined ? { initialWidth: width, initialHeight: height } : { measured }),
  };
}

function projectEdges(input: ProjectionInput, last: CanvasEdge[]): CanvasEdge[] {
  const before = new Map(last.map((edge) => [edge.id, edge]));
  const selected = new Set(input.selectedEdgeIds);
  const { nodes } = input.analysis.index;
  const projected = input.definition.edges
    .filter((edge) => nodes.has(edge.source) && nodes.has(edge.target))
    .map((edge) => projectEdge(input, edge, selected.has(edge.id), before.get(edge.id)));
  return keepList(last, projected);
}

function projectEdge(
  input: ProjectionInput,
  edge: GraphEdge,
  isSelected: boolean,
  before: CanvasEdge | undefined,
): CanvasEdge {
  const source = input.analysis.index.nodes.get(edge.source);
  const outputs = source === undefined ? [] : branchesOf(source, input.analysis.index.outgoing.get(source.id) ?? []);
  const handle = edge.sourceHandle ?? null;
  const label = outputs.length > 1 ? (outputs.find((output) => output.handle === handle)?.label ?? "") : "";
  const addLabel = input.isReadOnly ? null : describeAdd(input, edge);
  const depth = loopsAround(input.definition, edge.source).length;
  const isSame =
    before !== undefined &&
    before.source === edge.source &&
    before.target === edge.target &&
    before.sourceHandle === handle &&
    before.selected === isSelected &&
    before.data?.label === label &&
    before.data.addLabel === addLabel &&
    before.data.depth === depth;
  if (isSame) return before;
  const { id, target } = edge;
  const data = { label, addLabel, depth };
  return { id, type: "line", source: edge.source, target, sourceHandle: handle, selected: isSelected, data };
}

function describeAdd({ analysis }: ProjectionInput, edge: GraphEdge): string {
  const nameOf = (id: string) => {
    const node = analysis.index.nodes.get(id);
    return node === undefined ? id : nodeLabel(node);
  };
  return `Add a step between ${nameOf(edge.source)} and ${nameOf(edge.target)}`;
}
