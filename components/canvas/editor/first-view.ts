import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Box, Size } from "@/components/canvas/document/dimensions";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import { orderSteps } from "@/components/canvas/document/step-order";
import { FIT } from "@/components/canvas/editor/use-canvas-controls";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { readView } from "@/components/canvas/store/sticky-view";
import type { ReactFlowProps } from "@/components/canvas/view/flow";
import { READABLE_ZOOM, zoomLook } from "@/components/canvas/view/zoom-look";

interface Drawing {
  definition: Definition;
  orientation: Orientation;
}

/** The part of the window that steps may take; the rest are bars, and room around the steps. */
const SHARE = 0.7;

/**
 * Returns the view of a drawing that opens: the last one in this browser; else all steps; else, if all of them would be
 * dots, the first ones at a zoom at which cards are readable.
 */
export function firstView(
  workflowId: string,
  drawing: Drawing,
  window: Size,
): Pick<ReactFlowProps, "fitView" | "fitViewOptions" | "defaultViewport"> {
  const left = readView(workflowId, drawing.definition, window);
  if (left !== null) return { defaultViewport: left };
  const nodes = firstSteps(drawing, { width: SHARE * window.width, height: SHARE * window.height });
  const zoom = { minZoom: READABLE_ZOOM, maxZoom: READABLE_ZOOM };
  return { fitView: true, fitViewOptions: nodes === null ? FIT : { ...FIT, ...zoom, nodes } };
}

/** Returns the steps around the first one that fit into the room at a readable zoom; null if all have names in it. */
function firstSteps({ definition, orientation }: Drawing, room: Size): { id: string }[] | null {
  const boxes = new Map(
    (framesOf(definition).bodyOf.get(ROOT) ?? []).map((node) => {
      return [node.id, { ...node.position, ...nodeSize(definition, node, {}, orientation) }] as const;
    }),
  );
  const first = boxes.get(orderSteps(definition)[0] ?? "");
  if (first === undefined || zoomLook(zoomOf([...boxes.values()], room)).level !== "dots") return null;
  return [...boxes].flatMap(([id, box]) => (zoomOf([first, box], room) >= READABLE_ZOOM ? [{ id }] : []));
}

/** Returns the largest zoom at which all of the boxes fit into the room. */
function zoomOf(boxes: readonly Box[], { width, height }: Size): number {
  const across = Math.max(...boxes.map((box) => box.x + box.width)) - Math.min(...boxes.map(({ x }) => x));
  const along = Math.max(...boxes.map((box) => box.y + box.height)) - Math.min(...boxes.map(({ y }) => y));
  return Math.min(width / across, height / along);
}
