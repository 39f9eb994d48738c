/** A rectangle of a small drawing, and the CSS colour it has there. */
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

/** Rounded rectangles as one SVG path for each colour: what a small drawing costs does not grow with its boxes. */
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
