import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition, GraphEdge } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { branchesOf } from "@/components/canvas/document/branches-of";
import type { Point, Sizes } from "@/components/canvas/document/dimensions";
import { frameOfNode, placeOf } from "@/components/canvas/document/frames";
import { type DrawnLines, drawLines } from "@/components/canvas/layout/draw-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { describePort } from "@/components/canvas/layout/plan-frame";
import { CARD_CLEARANCE, LANE_GAP } from "@/components/canvas/lines/line-sizes";
import { type Rect, turnBox, turnPoint } from "@/components/canvas/lines/orientation";
import { labelBox, openAdd, targetAround } from "@/components/canvas/lines/port-parts";

/** Two lines closer than this look like one. */
const NEAR = 6;

interface Named {
  id: string;
  box: Rect;
}

/** Lists everything that is drawn over something else, as the components draw it. */
export function findFaults(definition: Definition, orientation: Orientation, sizes: Sizes = {}): string[] {
  const lines = drawLines(definition, { sizes, orientation });
  const cards = definition.nodes.map((node) => ({
    id: node.id,
    isFrame: STEP_KINDS[node.type].holdsBody,
    frame: frameOfNode(definition, node.id),
    box: { ...placeOf(definition, node), ...nodeSize(definition, node, sizes, orientation) },
  }));
  // A loop's frame covers its body on purpose, but neither its neighbors nor the lines around it.
  const inFrame = Map.groupBy(cards, ({ frame }) => frame);
  const edges = new Map(definition.edges.map((edge) => [edge.id, edge]));
  const pieces = [...lines].map(([id, { points }]) => ({ id, boxes: piecesOf(points) }));
  const onLines = buttonsOfLines(lines);
  const onPorts = buttonsOfPorts(definition, cards, orientation);
  return [
    ...[...inFrame.values()].flatMap((body) => pairs(body, "covers")),
    ...pieces.flatMap(({ id, boxes }) =>
      (inFrame.get(frameOfNode(definition, edges.get(id)?.source ?? "")) ?? [])
        .filter((card) => boxes.some((box) => isOver(box, card.box)))
        .map((card) => `${id} passes behind ${card.id}`),
    ),
    ...pieces.flatMap(({ id, boxes }) =>
      leavesFrame(id, boxes, cards, frameOfNode(definition, edges.get(id)?.source ?? "")),
    ),
    ...sharedCourses(pieces, edges),
    ...pieces.flatMap(({ id, boxes }) => (isDoubled(boxes) ? [`${id} is walked twice`] : [])),
    ...[...lines].flatMap(([id, { points }]) =>
      leavesCorridor(points, inFrame.get(frameOfNode(definition, edges.get(id)?.source ?? "")) ?? [], orientation)
        ? [`${id} leaves its corridor`]
        : [],
    ),
    ...faultsOfButtons(
      { adds: [...onLines.adds, ...onPorts.adds], labels: [...onLines.labels, ...onPorts.labels] },
      cards,
      pieces,
    ),
    ...missingButtons(lines, definition),
  ];
}

function leavesFrame(id: string, boxes: readonly Rect[], cards: readonly Named[], frame: string): string[] {
  const around = cards.find((card) => card.id === frame)?.box;
  if (around === undefined) return [];
  const isInside = boxes.every(
    (box) =>
      box.x > around.x &&
      box.y > around.y &&
      box.x + box.width < around.x + around.width &&
      box.y + box.height < around.y + around.height,
  );
  return isInside ? [] : [`${id} leaves its loop`];
}

/** Returns true if two parts of one line are on each other. */
function isDoubled(boxes: readonly Rect[]): boolean {
  return boxes.some((box, at) => boxes.slice(at + 1).some((other) => runsAlong(box, other)));
}

/**
 * Returns true if both bends of a line are in one gap between cards, and the line still leaves the space between its ends
 * by more than the lane next to another line.
 */
function leavesCorridor(points: readonly Point[], cards: readonly Named[], orientation: Orientation): boolean {
  const [from, first, second, third, ...rest] = points.map((point) => turnPoint(point, orientation));
  const to = rest.at(-1);
  if (from === undefined || first === undefined || second === undefined || third === undefined || to === undefined)
    return false;
  const column = second.x;
  if (column >= Math.min(from.x, to.x) - LANE_GAP && column <= Math.max(from.x, to.x) + LANE_GAP) return false;
  // A card that a straight line would pass too closely is in the way too.
  const [left, right] = [
    Math.min(from.x, to.x, column) - CARD_CLEARANCE,
    Math.max(from.x, to.x, column) + CARD_CLEARANCE,
  ];
  const [top, bottom] = [Math.min(first.y, third.y) - CARD_CLEARANCE, Math.max(first.y, third.y) + CARD_CLEARANCE];
  return cards.every((card) => {
    const box = turnBox(card.box, orientation);
    return box.x > right || box.x + box.width < left || box.y > bottom || box.y + box.height < top;
  });
}

interface Buttons {
  adds: Named[];
  labels: Named[];
}

function faultsOfButtons(
  { adds, labels }: Buttons,
  cards: readonly (Named & { isFrame: boolean })[],
  pieces: readonly { id: string; boxes: readonly Rect[] }[],
): string[] {
  const solid = cards.filter(({ isFrame }) => !isFrame);
  return [
    ...pairs(adds, "covers"),
    ...pairs(labels, "covers"),
    ...across(adds, labels, "covers"),
    ...across(adds, solid, "covers"),
    ...across(labels, solid, "covers"),
    ...pieces.flatMap(({ id, boxes }) =>
      adds
        .filter((add) => add.id !== `the button of ${id}` && !add.id.endsWith(HIDDEN))
        .filter((add) => boxes.some((box) => isOver(box, add.box)))
        .map((add) => `${add.id} is on ${id}`),
    ),
  ];
}

/** A button that is shown only with the pointer or the selection may be on a line. */
const HIDDEN = " (hidden)";

function buttonsOfLines(lines: DrawnLines): Buttons {
  const drawn = [...lines];
  const labels = drawn.flatMap(([id, { label }]) => (label === null ? [] : [{ id: `the label of ${id}`, box: label }]));
  return {
    adds: drawn.flatMap(([id, { add }]) =>
      add === null ? [] : [{ id: `the button of ${id}`, box: targetAround(add) }],
    ),
    // The lines of one port share its label.
    labels: [...Map.groupBy(labels, ({ box: { x, y } }) => `${x} ${y}`).values()].flatMap(([first]) => first ?? []),
  };
}

/** The buttons and labels of branches without a line. */
function buttonsOfPorts({ nodes, edges }: Definition, cards: readonly Named[], orientation: Orientation): Buttons {
  const buttons: Buttons = { adds: [], labels: [] };
  for (const node of nodes) {
    const leaving = edges.filter(({ source }) => source === node.id);
    const card = cards.find(({ id }) => id === node.id);
    if (card === undefined) continue;
    const box = turnBox(card.box, orientation);
    const outputs = branchesOf(node, leaving);
    for (const [index, { handle, isFailure }] of outputs.entries()) {
      if (leaving.some((edge) => (edge.sourceHandle ?? null) === handle)) continue;
      const { x, y, label } = describePort({ outputs, orientation, length: box.width }, index, true);
      const port = { x: box.x + x, y: box.y + box.height + y, label };
      const id = `${node.id} ${handle ?? ""}${isFailure ? HIDDEN : ""}`;
      const written = labelBox(port);
      buttons.adds.push({ id: `the button of ${id}`, box: turnBox(targetAround(openAdd(port)), orientation) });
      if (written !== null) buttons.labels.push({ id: `the label of ${id}`, box: turnBox(written, orientation) });
    }
  }
  return buttons;
}

/** Every line has a button, unless its port and its target both have other lines. */
function missingButtons(lines: DrawnLines, { edges }: Definition): string[] {
  return edges.flatMap((edge) => {
    const isAlone =
      edges.filter((other) => isSamePort(other, edge)).length === 1 ||
      edges.filter(({ target }) => target === edge.target).length === 1;
    return isAlone && lines.get(edge.id)?.add === null ? [`${edge.id} has no button`] : [];
  });
}

/** Lines may share a course only if they share a port or a target. */
function sharedCourses(
  pieces: readonly { id: string; boxes: readonly Rect[] }[],
  edges: ReadonlyMap<string, GraphEdge>,
): string[] {
  return pieces.flatMap(({ id, boxes }, index) =>
    pieces.slice(index + 1).flatMap((other) => {
      const [a, b] = [edges.get(id), edges.get(other.id)];
      if (a === undefined || b === undefined || a.target === b.target || isSamePort(a, b)) return [];
      return boxes.some((box) => other.boxes.some((second) => runsAlong(box, second)))
        ? [`${id} runs along ${other.id}`]
        : [];
    }),
  );
}

function isSamePort(a: GraphEdge, b: GraphEdge): boolean {
  return a.source === b.source && (a.sourceHandle ?? null) === (b.sourceHandle ?? null);
}

function piecesOf(points: readonly Point[]): Rect[] {
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    const corner = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y) };
    return { ...corner, width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y) };
  });
}

function runsAlong(a: Rect, b: Rect): boolean {
  const [thickA, thickB] = [Math.min(a.width, a.height), Math.min(b.width, b.height)];
  const isParallel = a.width > a.height === b.width > b.height && thickA === 0 && thickB === 0;
  if (!isParallel || Math.max(a.width, a.height) === 0 || Math.max(b.width, b.height) === 0) return false;
  return a.width > a.height
    ? Math.abs(a.y - b.y) < NEAR && a.x < b.x + b.width && b.x < a.x + a.width
    : Math.abs(a.x - b.x) < NEAR && a.y < b.y + b.height && b.y < a.y + a.height;
}

function pairs(items: readonly Named[], what: string): string[] {
  return items.flatMap((item, index) => across([item], items.slice(index + 1), what));
}

function across(items: readonly Named[], others: readonly Named[], what: string): string[] {
  return items.flatMap(({ id, box }) =>
    others.filter((other) => isOver(box, other.box)).map((other) => `${id} ${what} ${other.id}`),
  );
}

function isOver(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
