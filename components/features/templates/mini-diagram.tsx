import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { Size } from "@/components/canvas/document/dimensions";
import { frameOfNode, originOf } from "@/components/canvas/document/frames";
import { categoryColor } from "@/components/canvas/kinds/category-color";
import { drawLines } from "@/components/canvas/layout/draw-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { roundedPath } from "@/components/canvas/lines/rounded-path";

const VIEW = { sizes: {}, orientation: "vertical" } as const;
const MARGIN = 12;
const TILE = 40;
/** Drawn at a third of its size. */
const FONT_SIZE = 30;
const NAME_CHARACTERS = 13;

interface Placed extends Size {
  node: GraphNode;
  x: number;
  y: number;
}

interface MiniDiagramProps {
  definition: Definition;
  /** The text that a screen reader announces instead of the drawing. */
  label: string;
}

/**
 * Draws a workflow definition as a small diagram: cards with kind and name, frames of loops, and edges. Plain SVG,
 * without the canvas.
 */
export function MiniDiagram({ definition, label }: MiniDiagramProps) {
  const placed = definition.nodes.map((node) => place(definition, node));
  const [left, top] = [Math.min(...placed.map(({ x }) => x)), Math.min(...placed.map(({ y }) => y))];
  const right = Math.max(...placed.map(({ x, width }) => x + width));
  const bottom = Math.max(...placed.map(({ y, height }) => y + height));
  const box = [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN];
  return (
    <svg role="img" aria-label={label} viewBox={box.join(" ")} className="size-full">
      {placed.filter(isFrame).map((item) => (
        <Frame key={item.node.id} item={item} />
      ))}
      {[...drawLines(definition, VIEW)].map(([id, { points }]) => (
        <path key={id} d={roundedPath(points)} fill="none" stroke="var(--border-strong)" strokeWidth={4} />
      ))}
      {placed
        .filter((item) => !isFrame(item))
        .map((item) => (
          <Card key={item.node.id} item={item} />
        ))}
    </svg>
  );
}

function place(definition: Definition, node: GraphNode): Placed {
  const origin = originOf(definition, frameOfNode(definition, node.id));
  const { width, height } = nodeSize(definition, node, {});
  return { node, x: origin.x + node.position.x, y: origin.y + node.position.y, width, height };
}

function isFrame({ node }: Placed): boolean {
  return STEP_KINDS[node.type].holdsBody;
}

function Card({ item: { node, x, y, width, height } }: { item: Placed }) {
  const name = nodeLabel(node);
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} rx={12} fill="var(--surface)" stroke="var(--border-strong)" />
      <rect
        x={x + 14}
        y={y + (height - TILE) / 2}
        width={TILE}
        height={TILE}
        rx={8}
        fill={categoryColor(STEP_KINDS[node.type].category)}
      />
      <text x={x + TILE + 28} y={y + height / 2 + FONT_SIZE / 3} fontSize={FONT_SIZE} fill="var(--text)">
        {name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name}
      </text>
    </g>
  );
}

function Frame({ item: { x, y, width, height } }: { item: Placed }) {
  return (
    <rect
      x={x}
      y={y}
      width={width}
      height={height}
      rx={18}
      fill="color-mix(in srgb, var(--k-logic) 6%, transparent)"
      stroke="var(--k-logic)"
      strokeWidth={3}
    />
  );
}
