import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition } from "#lib/contract/workflow/graph";
import { FRAME_PADDING, FRAME_TOP, type Size, type Sizes } from "@/components/canvas/document/dimensions";
import { moveNodes } from "@/components/canvas/document/edit-data";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import { type DrawingView, frameLines } from "@/components/canvas/layout/frame-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { packBlocks } from "@/components/canvas/layout/pack-blocks";
import { type PartGraph, readPart } from "@/components/canvas/layout/part-graph";
import { planFrame } from "@/components/canvas/layout/plan-frame";
import { LOOSE_GAP, measureRows, type Row } from "@/components/canvas/layout/row-gaps";
import { turnPoint, turnSize } from "@/components/canvas/lines/orientation";

/**
 * Returns the definition laid out in rows, with room for every line. Loop bodies are laid out first and then count as
 * large cards. The first step keeps its place, so that the drawing doesn't jump while the user tidies it.
 */
export function tidyLayout(definition: Definition, sizes: Sizes, orientation: Orientation = "vertical"): Definition {
  return [...framesOf(definition).outerFirst]
    .reverse()
    .reduce((current, frame) => tidyFrame(current, frame, { sizes, orientation }), definition);
}

function tidyFrame(definition: Definition, frame: string, { sizes, orientation }: DrawingView): Definition {
  const body = framesOf(definition).bodyOf.get(frame) ?? [];
  const part = readPart(definition, body);
  const first = body.find((node) => node.id === part.roots[0]) ?? body[0];
  if (first === undefined) return definition;
  const cards = new Map(
    body.map((node) => [node.id, turnSize(nodeSize(definition, node, sizes, orientation), orientation)]),
  );
  const widths = new Map([...cards].map(([id, { width }]) => [id, width]));
  const middles = packBlocks(part, widths);
  const placedAt = (tops: readonly number[]) => {
    const points = [...middles].map(([id, x]) => {
      // Whole middles, so that steps of different widths are exactly in line.
      const at = { x: Math.round(x) - (widths.get(id) ?? 0) / 2, y: tops[part.ranks.get(id) ?? 0] ?? 0 };
      return [id, turnPoint(at, orientation)] as const;
    });
    return moveNodes(definition, Object.fromEntries(points));
  };
  const sizeOf = (id: string) => cards.get(id) ?? { width: 0, height: 0 };
  const tops = topsOf(part, sizeOf, (rows) =>
    measureRows(
      planFrame(placedAt(rows.map(({ top }) => top)), frame, orientation, (node) =>
        turnSize(sizeOf(node.id), orientation),
      ),
      rows,
    ),
  );
  const placed = placedAt(tops);
  const place = placed.nodes.find((node) => node.id === first.id)?.position ?? first.position;
  const start = frame === ROOT ? first.position : { x: FRAME_PADDING, y: FRAME_TOP };
  const origin = frame === ROOT ? place : frameLines(placed, frame, { sizes, orientation, nodeSize }).corner;
  const moved = placed.nodes.flatMap(({ id, position: { x, y } }) =>
    cards.has(id) ? [[id, { x: start.x + x - origin.x, y: start.y + y - origin.y }] as const] : [],
  );
  return moveNodes(definition, Object.fromEntries(moved));
}

/** Returns the top of each row: the rows are first drawn far apart, to see how much room the lines between them need. */
function topsOf(
  { order, ranks }: PartGraph,
  sizeOf: (id: string) => Size,
  measure: (rows: readonly Row[]) => number[],
): number[] {
  const heights: number[] = [];
  for (const id of order) {
    const rank = ranks.get(id) ?? 0;
    heights[rank] = Math.max(heights[rank] ?? 0, sizeOf(id).height);
  }
  const gaps = measure(stack(heights, () => LOOSE_GAP));
  return stack(heights, (row) => gaps[row] ?? 0).map(({ top }) => top);
}

function stack(heights: readonly number[], gapAfter: (row: number) => number): Row[] {
  let top = 0;
  return heights.map((height, row) => {
    const placed = { top, bottom: top + height };
    top = placed.bottom + gapAfter(row);
    return placed;
  });
}
