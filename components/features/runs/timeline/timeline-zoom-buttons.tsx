"use client";

import { ChevronLeft, ChevronRight, type LucideIcon, Maximize2, Scan, ZoomIn, ZoomOut } from "lucide-react";
import { formatMark } from "#lib/support/format/format-duration";
import type { TimelineRow } from "@/components/features/runs/timeline/derive-timeline";
import { markStep } from "@/components/features/runs/timeline/timeline-view";
import type { TimelineZoom } from "@/components/features/runs/timeline/use-timeline-view";
import { IconButton } from "@/components/ui/icon-button";

/** The edges are formatted with the precision of an axis with this many marks. */
const EXACT = 10;

interface TimelineZoomButtonsProps {
  zoom: TimelineZoom;
  selected: TimelineRow | undefined;
}

/** Shows the visible range and buttons to change it; keys of the list do the same. */
export function TimelineZoomButtons({ zoom, selected }: TimelineZoomButtonsProps) {
  const { view, isZoomed } = zoom;
  const stepMs = markStep(view, EXACT);
  const words = (atMs: number) => formatMark(stepMs < 1_000 ? Math.round(atMs / stepMs) * stepMs : atMs, stepMs);
  const button = (icon: LucideIcon, label: string, shortcut: string, onClick: () => void, isOff = false) => (
    <IconButton icon={icon} label={label} shortcut={shortcut} size="sm" onClick={onClick} disabled={isOff} />
  );
  return (
    <fieldset className="ml-auto flex min-w-0 items-center gap-0.5">
      <legend className="sr-only">Visible time range</legend>
      <p role="status" className="mr-2 hidden truncate font-mono text-dense text-text-2 sm:block">
        {isZoomed ? `${words(view.fromMs)} to ${words(view.toMs)}` : ""}
      </p>
      {isZoomed ? button(ChevronLeft, "Earlier", "←", () => zoom.step("earlier", selected)) : null}
      {isZoomed ? button(ChevronRight, "Later", "→", () => zoom.step("later", selected)) : null}
      {button(ZoomOut, "Zoom out", "−", () => zoom.step("out", selected), !isZoomed)}
      {button(ZoomIn, "Zoom in", "+", () => zoom.step("in", selected))}
      {button(
        Scan,
        "Fit step",
        "F",
        () => (selected === undefined ? undefined : zoom.fit(selected)),
        selected === undefined || selected.segments.length === 0,
      )}
      {button(Maximize2, "Fit run", "0", () => zoom.show(null), !isZoomed)}
    </fieldset>
  );
}
