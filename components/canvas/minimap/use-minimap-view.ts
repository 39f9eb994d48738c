import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import type { Box, Size } from "@/components/canvas/document/dimensions";
import { contains, mapBox, seenBox } from "@/components/canvas/minimap/minimap-view";
import { useOnViewportChange, useReactFlow } from "@/components/canvas/view/flow";

/** The smallest pane with a map, in pixels. */
const PANE_MIN: Size = { width: 576, height: 320 };

interface MinimapRefs {
  /** The element around the map. */
  frame: RefObject<HTMLDivElement | null>;
  map: RefObject<SVGSVGElement | null>;
  /** The rectangle of the visible part. */
  seen: RefObject<SVGRectElement | null>;
}

export interface MinimapView {
  /** The canvas size on the screen, read without forcing a layout. */
  pane: RefObject<Size>;
  drawSoon: () => void;
}

/**
 * Keeps the minimap's section and rectangle in sync with the view: by attributes, at most once per frame, without
 * rendering. Hides the minimap while the whole drawing is in view.
 * @param isHeld true while the user drags on the minimap, which must not move during the drag
 */
export function useMinimapView(
  bounds: Box,
  { frame: box, map, seen }: MinimapRefs,
  isHeld: RefObject<boolean>,
): MinimapView {
  const { getViewport } = useReactFlow();
  const pane = useRef<Size>({ width: 0, height: 0 });
  const frame = useRef<number | null>(null);
  const draw = () => {
    frame.current = null;
    const view = seenBox(getViewport(), pane.current);
    place(seen.current, view);
    if (isHeld.current) return;
    // A map of what the user sees anyway only takes room.
    box.current?.toggleAttribute("hidden", contains(view, bounds) || isSmall(pane.current));
    const { x, y, width, height } = mapBox(bounds, view);
    map.current?.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  };
  const latest = useRef(draw);
  const drawSoon = useCallback(() => {
    frame.current ??= requestAnimationFrame(() => latest.current());
  }, []);
  useLayoutEffect(() => {
    latest.current = draw;
    drawSoon();
  });
  useOnViewportChange({ onChange: drawSoon, onEnd: drawSoon });
  useEffect(() => {
    const canvas = document.querySelector(".workflow-canvas");
    if (canvas === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      pane.current = { width: entry.contentRect.width, height: entry.contentRect.height };
      drawSoon();
    });
    observer.observe(canvas);
    return () => {
      observer.disconnect();
      if (frame.current !== null) cancelAnimationFrame(frame.current);
      frame.current = null;
    };
  }, [drawSoon]);
  return { pane, drawSoon };
}

/** A pane without room for the map: it would leave no place for the selected card. */
function isSmall({ width, height }: Size): boolean {
  return width > 0 && (width < PANE_MIN.width || height < PANE_MIN.height);
}

function place(rect: SVGRectElement | null, box: Box): void {
  for (const [name, value] of Object.entries(box)) rect?.setAttribute(name, String(value));
}
