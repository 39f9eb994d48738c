"use client";

import { memo, useRef } from "react";
import { OVER_CANVAS } from "@/components/canvas/docks/read-room";
import type { MinimapShapes } from "@/components/canvas/minimap/minimap-shapes";
import { useMinimapPress } from "@/components/canvas/minimap/use-minimap-press";
import { useMinimapShapes } from "@/components/canvas/minimap/use-minimap-shapes";
import { useMinimapView } from "@/components/canvas/minimap/use-minimap-view";

/**
 * The whole drawing in small, with its visible part; shown only while a part of the drawing is outside the view.
 * Everything it does has a shortcut, so it is not in the tab order.
 */
export function Minimap() {
  const shapes = useMinimapShapes();
  return shapes === null ? null : <DrawnMap shapes={shapes} />;
}

function DrawnMap({ shapes }: { shapes: MinimapShapes }) {
  const map = useRef<SVGSVGElement>(null);
  const seen = useRef<SVGRectElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const isHeld = useRef(false);
  const view = useMinimapView(shapes.bounds, { frame, map, seen }, isHeld);
  useMinimapPress(map, view, isHeld);
  return (
    <div
      ref={frame}
      aria-hidden
      hidden
      data-minimap
      {...OVER_CANVAS}
      className="pointer-events-auto h-36 w-50 overflow-hidden rounded-3 border border-border bg-canvas shadow-2"
    >
      <svg aria-hidden ref={map} className="size-full cursor-pointer touch-none">
        <Drawing shapes={shapes} />
        <rect
          ref={seen}
          fill="var(--accent)"
          fillOpacity={0.07}
          stroke="var(--accent)"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </div>
  );
}

const Drawing = memo(function Drawing({ shapes: { notes, frames, lines, cards } }: { shapes: MinimapShapes }) {
  return (
    <>
      {notes.map(({ color, d }) => (
        <path key={color} d={d} fill={color} fillOpacity={0.18} />
      ))}
      {frames.map(({ color, d }) => (
        <path
          key={color}
          d={d}
          fill={color}
          fillOpacity={0.12}
          stroke={color}
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
      ))}
      <path
        d={lines}
        fill="none"
        stroke="var(--border-strong)"
        strokeWidth={1}
        strokeOpacity={0.7}
        vectorEffect="non-scaling-stroke"
      />
      {cards.map(({ color, d }) => (
        <path key={color} d={d} fill={color} />
      ))}
    </>
  );
});
