/** A rectangle of a thumbnail, with its CSS color. */
export interface ColoredBox {
  x: number;
  y: number;
  width: number;
  height: number;
  color: string;
}

export interface ColorPath {
  color: string;
  d: string;
}

/**
 * Combines rounded rectangles into one SVG path per color, so that the cost of a thumbnail does not grow with its
 * boxes.
 */
export function colorPaths(boxes: readonly ColoredBox[], radius: number): ColorPath[] {
  const byColor = Map.groupBy(boxes, ({ color }) => color);
  return [...byColor].map(([color, group]) => ({ color, d: group.map((box) => roundedBox(box, radius)).join("") }));
}

function roundedBox({ x, y, width, height }: ColoredBox, radius: number): string {
  const r = Math.min(radius, width / 2, height / 2);
  const [across, down] = [width - 2 * r, height - 2 * r];
  const turn = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  return `M${x + r} ${y}h${across}${turn(r, r)}v${down}${turn(-r, r)}h${-across}${turn(-r, -r)}v${-down}${turn(r, -r)}z`;
}
