import type { Definition } from "#lib/contract/workflow/graph";
import { CARD_WIDTH } from "@/components/canvas/document/dimensions";
import { framesOf, ROOT } from "@/components/canvas/document/frames";

/** The last view of a drawing: its corner in screen pixels, and the zoom. */
export interface View {
  x: number;
  y: number;
  zoom: number;
}

const keyOf = (workflowId: string) => `signalbox.view.${workflowId}`;

/** Returns the last view if it still shows a whole step; null opens with everything in view. */
export function readView(
  workflowId: string,
  definition: Definition,
  size: { width: number; height: number },
): View | null {
  const view = parseView(localStorage.getItem(keyOf(workflowId)));
  if (view === null) return null;
  const isSeen = (framesOf(definition).bodyOf.get(ROOT) ?? []).some(({ position }) => {
    const left = position.x * view.zoom + view.x;
    const top = position.y * view.zoom + view.y;
    return left >= 0 && top >= 0 && left + CARD_WIDTH * view.zoom <= size.width && top <= size.height / 2;
  });
  return isSeen ? view : null;
}

export function writeView(workflowId: string, { x, y, zoom }: View): void {
  try {
    localStorage.setItem(keyOf(workflowId), JSON.stringify({ x, y, zoom }));
  } catch {
    // Without storage, every visit starts with everything in view.
  }
}

function parseView(text: string | null): View | null {
  try {
    const { x, y, zoom } = JSON.parse(text ?? "null") as View;
    return [x, y, zoom].every(Number.isFinite) && zoom > 0 ? { x, y, zoom } : null;
  } catch {
    return null;
  }
}
