import type { RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatCount } from "#lib/support/format/format-number";
import { drawnBranches } from "@/components/canvas/document/branches-of";
import type { Sizes } from "@/components/canvas/document/dimensions";
import { frameOfNode, framesOf, loopsAround, ROOT } from "@/components/canvas/document/frames";
import { orderSteps } from "@/components/canvas/document/step-order";
import { type DrawnLine, drawLines } from "@/components/canvas/layout/draw-lines";
import { drawnOrientation } from "@/components/canvas/layout/drawn-orientation";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { deriveLights, type Lights } from "@/components/canvas/store/derive-lights";
import { mayTake, type NodeLight } from "@/components/canvas/store/node-light";
import { type CardModel, describeCard } from "@/components/canvas/view/card-model";
import type { Edge, Node } from "@/components/canvas/view/flow";
import { type ChosenItems, countItemsOf, loopPath, stepsOfItems } from "@/components/features/runs/graph/choose-items";
import { STEP_STATUS_LOOK } from "@/components/words/status";

export type RunNode = Node<
  {
    model: CardModel;
    light: NodeLight | null;
    hasInput: boolean;
    outputs: readonly Branch[];
    orientation: Orientation;
    /** Of a loop with items that can be shown one by one. */
    items: { loopId: string; index: number | null; count: number } | null;
  },
  "step" | "loop"
>;
export type RunEdge = Edge<
  { line: DrawnLine | undefined; isFailure: boolean; depth: number; way: "taken" | "running" | "not_taken" },
  "line"
>;

/**
 * Converts a run for React Flow: the definition that ran, each node with its status, each edge with whether it was
 * taken.
 */
export function projectRun(
  run: RunObject,
  { definition, taken_edges }: RunGraphObject,
  selectedId: string | null,
  chosen: ChosenItems = {},
  sizes: Sizes = {},
): { nodes: RunNode[]; edges: RunEdge[] } {
  const known = new Map<string, GraphNode>(definition.nodes.map((node) => [node.id, node]));
  const lights = deriveLights(
    { ...run, steps: stepsOfItems(run.steps, known, chosen) },
    definition.nodes.map((node) => node.id),
    {},
  );
  const steps = new Map(orderSteps(definition).map((id, index) => [id, index + 1]));
  const { outerFirst, bodyOf } = framesOf(definition);
  const orientation = drawnOrientation(definition);
  const lines = drawLines(definition, { sizes, orientation });
  // React Flow requires a frame before the nodes inside it.
  const nodes = outerFirst
    .flatMap((frame) => bodyOf.get(frame) ?? [])
    .map((node) => {
      const frame = frameOfNode(definition, node.id);
      const { width, height } = nodeSize(definition, node, sizes, orientation);
      const model = describeCard(node, steps.get(node.id) ?? 0, []);
      const light = lights[node.id] ?? null;
      const isLoop = STEP_KINDS[node.type].holdsBody;
      return {
        id: node.id,
        type: isLoop ? ("loop" as const) : ("step" as const),
        position: node.position,
        data: {
          model,
          light,
          hasInput: STEP_KINDS[node.type].hasInput,
          outputs: drawnBranches(node, definition.edges),
          orientation,
          items: isLoop ? itemsOf(node.id, run, known, chosen) : null,
        },
        selected: node.id === selectedId,
        ariaLabel: describeNode(model, light),
        ...(frame === ROOT ? {} : { parentId: frame }),
        ...(isLoop ? { width, height } : { initialWidth: width, initialHeight: height }),
      };
    });
  const taken = new Set(taken_edges);
  const edges = definition.edges.flatMap((edge): RunEdge[] => {
    const source = known.get(edge.source);
    if (source === undefined || !known.has(edge.target)) return [];
    const outputs = drawnBranches(source, definition.edges);
    const handle = edge.sourceHandle ?? null;
    const output = outputs.find((other) => other.handle === handle);
    const isFailure = output?.isFailure ?? false;
    const isRunning = lights[edge.target]?.status === "started";
    const way =
      taken.has(edge.id) && isOnWay(edge, lights, loopPath(known, edge.target), chosen)
        ? isRunning
          ? "running"
          : "taken"
        : "not_taken";
    const depth = loopsAround(definition, edge.source).length;
    const { id, target } = edge;
    return [
      {
        id,
        type: "line",
        source: edge.source,
        target,
        sourceHandle: handle,
        data: { line: lines.get(id), isFailure, depth, way },
      },
    ];
  });
  return { nodes, edges };
}

function itemsOf(loopId: string, run: RunObject, known: ReadonlyMap<string, GraphNode>, chosen: ChosenItems) {
  const count = countItemsOf(loopId, run.steps, known, chosen);
  return count === null ? null : { loopId, index: chosen[loopId] ?? null, count };
}

/** An edge that was taken was taken in some item; for the selected item, the steps at both ends decide. */
function isOnWay(edge: GraphEdge, lights: Lights, loops: readonly string[], chosen: ChosenItems): boolean {
  if (!loops.some((loop) => chosen[loop] !== undefined)) return true;
  const [from, to] = [lights[edge.source], lights[edge.target]];
  if (to === undefined || to.status === "skipped" || to.status === "not_reached") return false;
  return from === undefined || mayTake(from, edge.sourceHandle);
}

/** "Step 4, Create refund, HTTP request: Failed, 1.2 s, attempt 2." */
function describeNode({ step, name, type }: CardModel, light: NodeLight | null): string {
  const facts =
    light === null
      ? ["Not started"]
      : [
          STEP_STATUS_LOOK[light.status].word,
          ...(light.durationMs === null ? [] : [formatDuration(light.durationMs)]),
          ...(light.attempt > 1 ? [`attempt ${light.attempt}`] : []),
          ...(light.items === null ? [] : [formatCount(light.items.done, "item")]),
        ];
  return `Step ${step}, ${name}, ${STEP_KINDS[type].title}: ${facts.join(", ")}.`;
}
