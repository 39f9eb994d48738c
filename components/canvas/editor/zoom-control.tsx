"use client";

import { lazy, type RefObject } from "react";
import { useStore } from "zustand";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import type { ZoomStore } from "@/components/canvas/store/zoom-store";
import { Button } from "@/components/ui/button";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";

const loadMenu = () => import("@/components/canvas/editor/zoom-menu");
const ZoomMenu = lazy(() => loadMenu().then((m) => ({ default: m.ZoomMenu })));

/** Shows the zoom in percent; opens a menu of zooms. */
export function ZoomControl({ controls, zoom }: { controls: RefObject<CanvasControls>; zoom: ZoomStore }) {
  const percent = useStore(zoom, (state) => Math.round(state.zoom * 100));
  return (
    <LazyMenu
      preload={loadMenu}
      trigger={
        <Button variant="ghost" aria-label={`Zoom: ${percent}%`} className="min-w-14 px-2 tabular-nums">
          {percent}%
        </Button>
      }
    >
      {(menu) => <ZoomMenu {...menu} controls={controls} />}
    </LazyMenu>
  );
}
