import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { type Box, type Sizes, unionOf } from "@/components/canvas/document/dimensions";
import { placeOf } from "@/components/canvas/document/frames";
import { categoryColor } from "@/components/canvas/kinds/category-color";
import { nodeSize } from "@/components/canvas/layout/node-size";
import type { Lights } from "@/components/canvas/store/derive-lights";
import { type ColoredBox, type ColorPath, colorPaths } from "@/components/canvas/view/color-paths";
import { STEP_STATUS_LOOK } from "@/components/words/status";

const CARD_RADIUS = 20;

interface MinimapInput {
  definition: Definition;
  notes: readonly CanvasNote[];
  sizes: Sizes;
  orientation: Orientation;
  selectedNodeIds: readonly string[];
  lights: Lights;
}

/** The shapes on the minimap, in the coordinates of the drawing. */
export interface MinimapShapes {
  bounds: Box;
  notes: ColorPath[];
  frames: ColorPath[];
  lines: string;
  cards: ColorPath[];
}

/** Returns the drawing as a few paths, or null while it is empty. */
export function minimapShapes({ definition, notes, ...look }: MinimapInput): MinimapShapes | null {
  const steps = new Map(definition.nodes.map((node) => [node.id, placeStep(definition, node, look)]));
  const noted = notes.map(({ position, width, height }) => boxOf(position, { width, height }, "var(--warn)"));
  const bounds = unionOf([...steps.values(), ...noted]);
  if (bounds === null) return null;
  const isFrame = ({ id, type }: GraphNode) => STEP_KINDS[type].holdsBody && steps.has(id);
  const frameIds = new Set(definition.nodes.filter(isFrame).map(({ id }) => id));
  const boxesOf = (wanted: boolean) => [...steps].flatMap(([id, box]) => (frameIds.has(id) === wanted ? [box] : []));
  return {
    bounds,
    notes: colorPaths(noted, CARD_RADIUS),
    frames: colorPaths(boxesOf(true), CARD_RADIUS),
    lines: definition.edges.map(({ source, target }) => lineBetween(steps.get(source), steps.get(target))).join(""),
    cards: colorPaths(boxesOf(false), CARD_RADIUS),
  };
}

type Look = Pick<MinimapInput, "sizes" | "orientation" | "selectedNodeIds" | "lights">;

function placeStep(definition: Definition, node: GraphNode, look: Look): ColoredBox {
  return boxOf(
    placeOf(definition, node),
    nodeSize(definition, node, look.sizes, look.orientation),
    colorOf(node, look),
  );
}

function boxOf(
  { x, y }: { x: number; y: number },
  { width, height }: { width: number; height: number },
  color: string,
): ColoredBox {
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height), color };
}

/**
 * Returns the color of a step: selected, else by its run status, else by its kind. While a run is shown, steps that it
 * did not reach are faint.
 */
function colorOf({ id, type }: GraphNode, { selectedNodeIds, lights }: Look): string {
  if (selectedNodeIds.includes(id)) return "var(--accent)";
  const light = lights[id];
  if (light !== undefined && light.status !== "not_reached") return `var(--${STEP_STATUS_LOOK[light.status].tone})`;
  if (Object.keys(lights).length > 0) return "var(--border)";
  return `color-mix(in srgb, ${categoryColor(STEP_KINDS[type].category)} 55%, var(--surface))`;
}

function lineBetween(from: ColoredBox | undefined, to: ColoredBox | undefined): string {
  if (from === undefined || to === undefined) return "";
  return `M${from.x + from.width / 2} ${from.y + from.height}L${to.x + to.width / 2} ${to.y}`;
}
