import type { Definition, GraphEdge, GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeLabel } from "#lib/graph/node-data";
import { NODE_KINDS } from "#lib/graph/node-kinds";
import type { Point, Sizes } from "@/components/canvas/dimensions";
import { frameOfNode, framesOf, loopsAround, ROOT } from "@/components/canvas/document/frames";
import { type NodeOutput, outputsOf } from "@/components/canvas/document/node-kinds";
import { nodeSize } from "@/components/canvas/document/node-size";
import type { Edge, Node } from "@/components/canvas/flow";
import { type Analysis, problemsOf, settledProblems } from "@/components/canvas/store/analysis";
import type { TypingPlace } from "@/components/canvas/store/editor-store";
import { describeCard } from "@/components/canvas/view/card-model";

/** What a card needs beside its place. Built here, compared here: a node re-renders only when one of these changed. */
export type CanvasNodeData = {
  node: GraphNode;
  step: number;
  problems: readonly GraphProblem[];
  outputs: readonly NodeOutput[];
  /** Handles of the outputs nothing leaves by. */
  openHandles: readonly (string | null)[];
  /** Of a loop: how many nodes stand directly inside it. */
  bodySize: number;
};
/** A card, or the frame of a loop. */
export type CanvasNode = Node<CanvasNodeData, "step" | "loop">;

/** `addLabel` names the button on the line; null where nothing may be added. `depth` is how many loops it stands in. */
export type CanvasEdgeData = { label: string; addLabel: string | null; depth: number };
export type CanvasEdge = Edge<CanvasEdgeData, "line">;

interface ProjectionInput {
  definition: Definition;
  analysis: Analysis;
  selectedNodeIds: readonly string[];
  selectedEdgeIds: readonly string[];
  dragPositions: Readonly<Record<string, Point>>;
  dropFrame: string | null;
  sizes: Sizes;
  typingIn: TypingPlace | null;
  isReadOnly: boolean;
}

export interface Projection {
  definition: Definition;
  typingIn: TypingPlace | null;
  nodes: CanvasNode[];
  edges: CanvasEdge[];
}

/**
 * The document as React Flow wants it. Given the last projection, whatever did not change keeps its identity: that is
 * what makes memoised nodes stay still while one of them is dragged.
 */
export function projectDefinition(input: ProjectionInput, last: Projection | null): Projection {
  const before = new Map(last?.nodes.map((node) => [node.id, node]));
  const edgesBefore = new Map(last?.edges.map((edge) => [edge.id, edge]));
  const selected = new Set(input.selectedNodeIds);
  const selectedEdges = new Set(input.selectedEdgeIds);
  const seen = new Set<string>();
  // While a card is dragged the document stays the same, and so does everything but places.
  const isSettled = last?.definition === input.definition && last.typingIn === input.typingIn;
  const nodes: CanvasNode[] = [];
  for (const node of outerFirst(input.definition)) {
    // A draft from elsewhere may use an id twice; validation says so, and one card stands for both.
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    const former = before.get(node.id);
    const content = former !== undefined && isSettled ? former : projectContent(input, node, former?.data);
    nodes.push(projectNode(input, node, content, selected.has(node.id), former));
  }
  const edges = input.definition.edges
    .filter((edge) => seen.has(edge.source) && seen.has(edge.target))
    .map((edge) => projectEdge(input, edge, selectedEdges.has(edge.id), edgesBefore.get(edge.id)));
  return { definition: input.definition, typingIn: input.typingIn, nodes, edges };
}

/** React Flow wants a frame before what stands in it. */
function outerFirst(definition: Definition): readonly GraphNode[] {
  const { outerFirst: frames, bodyOf } = framesOf(definition);
  return frames.length === 1 ? definition.nodes : frames.flatMap((frame) => bodyOf.get(frame) ?? []);
}

type Content = Pick<CanvasNode, "data" | "ariaLabel">;

function projectNode(
  input: ProjectionInput,
  node: GraphNode,
  { data, ariaLabel = "" }: Content,
  isSelected: boolean,
  before: CanvasNode | undefined,
): CanvasNode {
  const measured = input.sizes[node.id];
  const position = input.dragPositions[node.id] ?? node.position;
  const frame = frameOfNode(input.definition, node.id);
  const parentId = frame === ROOT ? undefined : frame;
  const isLoop = NODE_KINDS[node.type].holdsBody;
  const { width, height } =
    measured !== undefined && !isLoop ? measured : nodeSize(input.definition, node, input.sizes);
  const className = input.dropFrame === node.id ? "is-drop-target" : "";
  const isSame =
    before !== undefined &&
    before.data === data &&
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
    type: isLoop ? "loop" : "step",
    position,
    data,
    selected: isSelected,
    ariaLabel,
    className,
    ...(parentId === undefined ? {} : { parentId }),
    ...(isLoop ? { width, height } : {}),
    ...(measured === undefined ? { initialWidth: width, initialHeight: height } : { measured }),
  };
}

function projectContent(input: ProjectionInput, node: GraphNode, before: CanvasNodeData | undefined): Content {
  const leaving = input.analysis.index.outgoing.get(node.id) ?? [];
  const used = new Set(leaving.map((edge) => edge.sourceHandle ?? null));
  const outputs = outputsOf(node, leaving);
  const open = outputs.filter((output) => !used.has(output.handle)).map((output) => output.handle);
  const step = input.analysis.steps.get(node.id) ?? 0;
  const problems = settledProblems(problemsOf(input.analysis, node.id), input.typingIn);
  const bodySize = framesOf(input.definition).bodyOf.get(node.id)?.length ?? 0;
  const isSame =
    before !== undefined &&
    before.node === node &&
    before.step === step &&
    before.bodySize === bodySize &&
    before.openHandles.join() === open.join() &&
    before.openHandles.length === open.length &&
    before.outputs.length === outputs.length &&
    before.problems.map(textOf).join("\n") === problems.map(textOf).join("\n");
  const data = isSame ? before : { node, step, problems, outputs, openHandles: open, bodySize };
  return { data, ariaLabel: describeNode(input, node, data) };
}

function projectEdge(
  input: ProjectionInput,
  edge: GraphEdge,
  isSelected: boolean,
  before: CanvasEdge | undefined,
): CanvasEdge {
  const source = input.analysis.index.nodes.get(edge.source);
  const outputs = source === undefined ? [] : outputsOf(source, input.analysis.index.outgoing.get(source.id) ?? []);
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

/** "Step 4, Create refund, HTTP request, inside Each order, error: the address is missing. Connected from Over 500, Otherwise." */
function describeNode(input: ProjectionInput, node: GraphNode, data: CanvasNodeData): string {
  const { kind, name, footer } = describeCard(node, data.step, data.problems);
  const problem = footer?.tone === "err" ? `, error: ${footer.text}` : "";
  const sources = (input.analysis.index.incoming.get(node.id) ?? []).flatMap((edge) => {
    const source = input.analysis.index.nodes.get(edge.source);
    if (source === undefined) return [];
    const outputs = outputsOf(source, input.analysis.index.outgoing.get(source.id) ?? []);
    const output = outputs.find((other) => other.handle === (edge.sourceHandle ?? null));
    return [output === undefined || output.label === "" ? nodeLabel(source) : `${nodeLabel(source)}, ${output.label}`];
  });
  const from = sources.length === 0 ? "" : ` Connected from ${sources.join("; ")}.`;
  const [loopId] = loopsAround(input.definition, node.id);
  const loop = loopId === undefined ? undefined : input.analysis.index.nodes.get(loopId);
  const inside = loop === undefined ? "" : `, inside ${nodeLabel(loop)}`;
  const holds = NODE_KINDS[node.type].holdsBody
    ? ` Holds ${data.bodySize} ${data.bodySize === 1 ? "step" : "steps"}.`
    : "";
  return `Step ${data.step}, ${name}, ${kind.label}${inside}${problem}.${from}${holds}`;
}

function textOf(problem: GraphProblem): string {
  return `${problem.code} ${problem.field ?? ""} ${problem.message}`;
}
