import type { Room } from "@/components/canvas/docks/free-place";
import type { Box } from "@/components/canvas/document/dimensions";

/** Marks an element that lies over the drawing, so that no selected card is left under it. */
export const OVER_CANVAS = { "data-over-canvas": "" } as const;

const COVERS = "[data-over-canvas], .workflow-canvas .react-flow__attribution";
const TOAST = "[data-sonner-toast][data-front=true]";
/** Room around a message, and for the edges of those behind it. */
const TOAST_GAP = 24;
const TOAST_STACK = 32;

/** Returns where cards are visible now, in screen pixels; null while nothing is rendered. */
export function readRoom(): Room | null {
  const pane = document.querySelector(".workflow-canvas")?.getBoundingClientRect();
  if (pane === undefined || pane.width === 0 || pane.height === 0) return null;
  const covers = [...document.querySelectorAll(COVERS)].map((cover) => boxOf(cover.getBoundingClientRect()));
  const toasts = toastBox();
  return {
    pane: boxOf(pane),
    covers: [...covers, ...(toasts === null ? [] : [toasts])].filter(({ width, height }) => width > 0 && height > 0),
  };
}

export function boxOf({ x, y, width, height }: DOMRect): Box {
  return { x, y, width, height };
}

/** Messages slide into the corner, so the place where they end up counts, not where they are. */
function toastBox(): Box | null {
  const front = document.querySelector<HTMLElement>(TOAST);
  if (front === null) return null;
  const width = front.offsetWidth + TOAST_GAP;
  const height = front.offsetHeight + TOAST_GAP + TOAST_STACK;
  return { x: window.innerWidth - width, y: window.innerHeight - height, width, height };
}
