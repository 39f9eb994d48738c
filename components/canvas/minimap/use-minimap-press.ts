import { type RefObject, useEffect } from "react";
import type { Point } from "@/components/canvas/document/dimensions";
import { holds, seenBox, viewAround } from "@/components/canvas/minimap/minimap-view";
import type { MinimapView } from "@/components/canvas/minimap/use-minimap-view";
import { useReactFlow } from "@/components/canvas/view/flow";

/** A pointer that moved less than this only clicked. */
const CLICK_PIXELS = 3;

/**
 * Handles press and drag on the minimap: a click centers the view on that place, and a drag moves the rectangle from
 * where it was grabbed.
 */
export function useMinimapPress(
  map: RefObject<SVGSVGElement | null>,
  { pane, drawSoon }: MinimapView,
  isHeld: RefObject<boolean>,
): void {
  const { getViewport, setViewport } = useReactFlow();
  useEffect(() => {
    const svg = map.current;
    if (svg === null) return;
    const show = (point: Point) => void setViewport(viewAround(point, getViewport().zoom, pane.current));
    const onDown = (down: PointerEvent) => {
      const toDrawing = svg.getScreenCTM()?.inverse();
      if (down.button !== 0 || toDrawing === undefined) return;
      const pointOf = ({ clientX, clientY }: PointerEvent) => new DOMPoint(clientX, clientY).matrixTransform(toDrawing);
      const taken = pointOf(down);
      const seen = seenBox(getViewport(), pane.current);
      const middle = { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 };
      const offset = holds(seen, taken) ? { x: middle.x - taken.x, y: middle.y - taken.y } : { x: 0, y: 0 };
      let isDragged = false;
      const onMove = (move: PointerEvent) => {
        isDragged ||= Math.hypot(move.clientX - down.clientX, move.clientY - down.clientY) >= CLICK_PIXELS;
        const { x, y } = pointOf(move);
        if (isDragged) show({ x: x + offset.x, y: y + offset.y });
      };
      const onUp = () => {
        svg.removeEventListener("pointermove", onMove);
        isHeld.current = false;
        if (!isDragged) show(taken);
        drawSoon();
      };
      isHeld.current = true;
      svg.setPointerCapture(down.pointerId);
      svg.addEventListener("pointermove", onMove);
      svg.addEventListener("lostpointercapture", onUp, { once: true });
    };
    svg.addEventListener("pointerdown", onDown);
    return () => svg.removeEventListener("pointerdown", onDown);
  }, [map, pane, drawSoon, isHeld, getViewport, setViewport]);
}
