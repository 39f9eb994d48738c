import type { Guide } from "@/components/canvas/lines/snap-guides";
import { useEditor } from "@/components/canvas/store/draft-context";
import { ViewportPortal } from "@/components/canvas/view/flow";

/** Half the length of the marks at the ends of a gap, in the pixels of the drawing. */
const TICK = 5;

/** Shows what the dragged cards are aligned with, and equal gaps with their size. */
export function DragGuides() {
  const guides = useEditor((state) => state.guides);
  if (guides.length === 0) return null;
  return (
    <ViewportPortal>
      <svg
        aria-hidden
        data-guides
        className="pointer-events-none absolute top-0 left-0 overflow-visible"
        width={1}
        height={1}
        style={{ zIndex: 20 }}
      >
        {guides.map((guide) => (
          <path
            key={`${guide.kind}${guide.axis}${guide.at},${guide.from}`}
            d={pathOf(guide)}
            fill="none"
            stroke="var(--accent)"
            strokeWidth={1}
            strokeDasharray={guide.kind === "align" ? "4 3" : undefined}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
    </ViewportPortal>
  );
}

function pathOf({ kind, axis, at, from, to }: Guide): string {
  if (kind === "align") return axis === "x" ? `M${at} ${from}V${to}` : `M${from} ${at}H${to}`;
  const tick = (end: number) =>
    axis === "x" ? `M${end} ${at - TICK}V${at + TICK}` : `M${at - TICK} ${end}H${at + TICK}`;
  return `${axis === "x" ? `M${from} ${at}H${to}` : `M${at} ${from}V${to}`}${tick(from)}${tick(to)}`;
}
