import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { Analysis, FreshNodes } from "@/components/canvas/document/analysis";
import { branchesOf } from "@/components/canvas/document/branches-of";
import type { Sizes } from "@/components/canvas/document/dimensions";
import { frameOfNode, loopsAround, ROOT } from "@/components/canvas/document/frames";
import { type Cards, describeCards } from "@/components/canvas/editor/drawing/card-contents";
import { type LineAdds, projectAdds } from "@/components/canvas/editor/drawing/project-adds";
import { type DrawnLines, drawLines } from "@/components/canvas/layout/draw-lines";
import { focusOrder } from "@/components/canvas/layout/focus-order";
import { nodeSize } from "@/components/canvas/layout/node-size";
import type { TypingPlace } from "@/components/canvas/store/panel-slice";
import { type Edge, type Node, Position } from "@/components/canvas/view/flow";

/**
 * A card or a loop's frame, with only the data that React Flow needs. The card reads its content by id, because React
 * Flow checks every node and line of the drawing for each change, and typing must not cause one.
 */
export type CanvasNode = Node<Record<string, never>, "step" | "loop">;

/** `depth` is the number of loops around the line. */
export type CanvasEdgeData = { isFailure: boolean; depth: number };
export type CanvasEdge = Edge<CanvasEdgeData, "line">;

interface ProjectionInput {
  definition: Definition;
  analysis: Analysis;
  selectedNodeIds: readonly string[];
  selectedEdgeIds: readonly string[];
  dropFrame: string | null;
  sizes: Sizes;
  orientation: Orientation;
  typingIn: TypingPlace | null;
  freshNodes: FreshNodes;
  isReadOnly: boolean;
}

export interface Projection {
  cards: Cards;
  nodes: CanvasNode[];
  edges: CanvasEdge[];
  /** The course of each line, which the line reads by id: a move changes few of them, and no line of React Flow. */
  lines: DrawnLines;
  adds: LineAdds;
}

const NO_DATA: Record<string, never> = {};
/** Makes React Flow look for the ports again when the drawing turns. */
const SIDES: { sourcePosition?: Position; targetPosition?: Position } = {
  sourcePosition: Position.Right,
  targetPosition: Position.Left,
};

/**
 * Converts the document to React Flow's nodes and edges. Elements that did not change since the last projection keep
 * their identity, including the lists, so that React Flow sees only real changes.
 */
export function projectDefinition(input: ProjectionInput, last: Projection | null): Projection {
  const cards = describeCards(input, last?.cards ?? null);
  const nodes = projectNodes(input, cards, last?.nodes ?? []);
  const edges = projectEdges(input, last?.edges ?? []);
  const lines = drawLines(input.definition, input, last?.lines);
  return { cards, nodes, edges, lines, adds: projectAdds(input, lines, last?.adds) };
}

function projectNodes(input: ProjectionInput, cards: Cards, last: CanvasNode[]): CanvasNode[] {
  const before = new Map(last.map((node) => [node.id, node]));
  const selected = new Set(input.selectedNodeIds);
  // A draft from elsewhere may use an id twice. Validation reports it, and one card represents both nodes.
  const projected = inFocusOrder(input).map((node) => {
    const look = { ariaLabel: cards.get(node.id)?.ariaLabel ?? "", isSelected: selected.has(node.id) };
    return projectNode(input, node, look, before.get(node.id));
  });
  return keepList(last, projected);
}

/** In the order of the Tab key. React Flow requires a frame before its contents, which this order has. */
function inFocusOrder({ definition, analysis }: ProjectionInput): readonly GraphNode[] {
  return focusOrder(definition).flatMap((id) => analysis.index.nodes.get(id) ?? []);
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
    measured !== undefined && !isLoop ? measured : nodeSize(input.definition, node, input.sizes, input.orientation);
  const sides: Partial<typeof SIDES> = input.orientation === "vertical" ? {} : SIDES;
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
    before.sourcePosition === sides.sourcePosition &&
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
    ...sides,
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
  const output = outputs.find((other) => other.handle === handle);
  const isFailure = output?.isFailure ?? false;
  const depth = loopsAround(input.definition, edge.source).length;
  const isSame =
    before !== undefined &&
    before.source === edge.source &&
    before.target === edge.target &&
    before.sourceHandle === handle &&
    before.selected === isSelected &&
    before.data?.isFailure === isFailure &&
    before.data.depth === depth;
  if (isSame) return before;
  const { id, target } = edge;
  const data = { isFailure, depth };
  return { id, type: "line", source: edge.source, target, sourceHandle: handle, selected: isSelected, data };
}
