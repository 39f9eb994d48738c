import type { GraphOutline, OutlineBox } from "#lib/contract/workflow/workflow";
import { categoryColor } from "@/components/canvas/kinds/category-color";
import { type ColoredBox, colorPaths } from "@/components/canvas/view/color-paths";
import { foldOutline } from "@/components/canvas/view/fold-outline";

const MARGIN = 2;
/** About four cards by five, so that a small drawing does not fill the thumbnail with two huge boxes. */
const SIDES_MIN = { width: 40, height: 26 };
const RADIUS = 1.5;

/**
 * A small static picture of a workflow: boxes in the colors of their kinds. Decorative; its information is also given
 * elsewhere.
 */
export function GraphThumbnail({ outline }: { outline: GraphOutline }) {
  const { width, height, boxes, lines } = foldOutline(outline);
  const sides = { width: Math.max(width, SIDES_MIN.width), height: Math.max(height, SIDES_MIN.height) };
  const left = (width - sides.width) / 2 - MARGIN;
  const top = (height - sides.height) / 2 - MARGIN;
  const cards = boxes.filter((box) => !isFrame(box)).map(colored);
  return (
    <svg
      aria-hidden
      viewBox={`${left} ${top} ${sides.width + 2 * MARGIN} ${sides.height + 2 * MARGIN}`}
      className="size-full"
    >
      {colorPaths(boxes.filter(isFrame).map(colored), RADIUS).map(({ color, d }) => (
        <path key={color} d={d} fill={color} fillOpacity={0.25} />
      ))}
      <path
        d={lines.map(([from, to]) => lineBetween(boxes[from], boxes[to])).join("")}
        fill="none"
        stroke="var(--border-strong)"
        strokeWidth={1}
        vectorEffect="non-scaling-stroke"
      />
      {colorPaths(cards, RADIUS).map(({ color, d }) => (
        <path key={color} d={d} fill={color} />
      ))}
    </svg>
  );
}

function isFrame([, , , , , isFrameBox]: OutlineBox): boolean {
  return isFrameBox;
}

function colored([x, y, width, height, category]: OutlineBox): ColoredBox {
  return { x, y, width, height, color: categoryColor(category) };
}

function lineBetween(from: OutlineBox | undefined, to: OutlineBox | undefined): string {
  if (from === undefined || to === undefined) return "";
  return `M${from[0] + from[2] / 2} ${from[1] + from[3]}L${to[0] + to[2] / 2} ${to[1]}`;
}
