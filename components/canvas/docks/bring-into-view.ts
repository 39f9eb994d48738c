import type { GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { freePlace, type Room } from "@/components/canvas/docks/free-place";
import { readRoom } from "@/components/canvas/docks/read-room";
import { branchesOf, drawnBranches } from "@/components/canvas/document/branches-of";
import { type Box, type Point, unionOf } from "@/components/canvas/document/dimensions";
import { placeOf } from "@/components/canvas/document/frames";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { describePort } from "@/components/canvas/layout/plan-frame";
import { PORT_RADIUS } from "@/components/canvas/lines/line-sizes";
import { turnBox } from "@/components/canvas/lines/orientation";
import { labelBox, targetAround } from "@/components/canvas/lines/port-parts";
import type { CanvasEditor } from "@/components/canvas/store/editor-store";
import type { View } from "@/components/canvas/store/sticky-view";

/** The part of a loop that must be visible, in the pixels of the drawing: its name and its line of text. */
const LOOP_HEAD = { width: 320, height: 90 };
/** Below this zoom, a step next to the docks is not worth losing sight of the drawing. */
const ZOOM_OUT_MIN = 0.1;
const ZOOM_OUT = 0.9;
/** How far from its card an add button may be to be shown with it. */
const BUTTON_REACH = 120;

type Drawing = Pick<CanvasEditor, "definition" | "notes" | "sizes" | "orientation">;

/**
 * Returns the view that shows a whole step with its ports and branch labels, or a note, next to everything that covers a part of the drawing; null if it does
 * not exist, nothing is rendered, or there is no place. It keeps the zoom unless the card would not fit. Of a loop that
 * does not fit, it shows the start.
 *
 * The card's place comes from the document. On the screen, a card can be a few frames behind or still on its way, and the
 * view would move to the wrong place.
 *
 * @param buttons the middles of the card's add buttons, relative to its corner; shown with it if they are near it and
 *   there is a place for all
 */
export function viewOf(drawing: Drawing, id: string, view: View, buttons: readonly Point[] = []): View | null {
  const room = readRoom();
  const place = boxIn(drawing, id);
  if (room === null || place === null) return null;
  const { zoom } = view;
  const onScreen = ({ x, y, width, height }: Box): Box => ({
    x: room.pane.x + view.x + x * zoom,
    y: room.pane.y + view.y + y * zoom,
    width: width * zoom,
    height: height * zoom,
  });
  const box = onScreen(place.box);
  const whole = unionOf([place.box, ...place.ports]) ?? place.box;
  const next =
    moveInto(onScreen(unionOf([whole, ...buttonsNear(place.box, buttons)]) ?? whole), room, view) ??
    moveInto(onScreen(whole), room, view) ??
    moveInto(box, room, view);
  if (next !== null || !place.isLoop) return next ?? zoomOutInto(box, room, view);
  const width = Math.min(box.width, LOOP_HEAD.width * zoom);
  const head = { ...box, width, height: Math.min(box.height, LOOP_HEAD.height * zoom) };
  return moveInto(head, room, view) ?? zoomOutInto(head, room, view);
}

/** In the pixels of the drawing; the ports with their labels. */
function boxIn(drawing: Drawing, id: string): { box: Box; ports: Box[]; isLoop: boolean } | null {
  const { definition, notes, sizes, orientation } = drawing;
  const note = notes.find((other) => other.id === id);
  if (note !== undefined) {
    return { box: { ...note.position, width: note.width, height: note.height }, ports: [], isLoop: false };
  }
  const node = definition.nodes.find((other) => other.id === id);
  if (node === undefined) return null;
  const box = { ...placeOf(definition, node), ...nodeSize(definition, node, sizes, orientation) };
  return { box, ports: portBoxes(drawing, node, box), isLoop: STEP_KINDS[node.type].holdsBody };
}

/** Returns the areas of the ports and branch labels around a card. */
function portBoxes({ definition, orientation }: Drawing, node: GraphNode, card: Box): Box[] {
  const outputs = branchesOf(node, definition.edges);
  const drawn = new Set(drawnBranches(node, definition.edges).map(({ handle }) => handle));
  // Turned like the plan: from the start of the card's side, downwards from its end.
  const turned = turnBox(card, orientation);
  const labels = outputs.flatMap(({ handle }, index) => {
    const box = labelBox(describePort({ outputs, orientation, length: turned.width }, index, false));
    return box === null || !drawn.has(handle)
      ? []
      : [{ ...box, x: turned.x + box.x, y: turned.y + turned.height + box.y }];
  });
  const ports = { ...turned, y: turned.y - PORT_RADIUS, height: turned.height + 2 * PORT_RADIUS };
  return [ports, ...labels].map((box) => turnBox(box, orientation));
}

function buttonsNear(card: Box, buttons: readonly Point[]): Box[] {
  return buttons
    .filter(({ x, y }) => Math.max(-x, x - card.width, -y, y - card.height) <= BUTTON_REACH)
    .map(({ x, y }) => targetAround({ x: card.x + x, y: card.y + y }));
}

/** Returns null if there is no place at this zoom. */
function moveInto(card: Box, room: Room, view: View): View | null {
  const place = freePlace(card, room);
  return place === null ? null : { x: view.x + place.x - card.x, y: view.y + place.y - card.y, zoom: view.zoom };
}

/** Zooms out around the card's corner until there is a place for it. */
function zoomOutInto(card: Box, room: Room, view: View): View | null {
  for (let factor = ZOOM_OUT; view.zoom * factor >= ZOOM_OUT_MIN; factor *= ZOOM_OUT) {
    const smaller = { ...card, width: card.width * factor, height: card.height * factor };
    const corner = { x: card.x - room.pane.x, y: card.y - room.pane.y };
    const zoomed = {
      x: corner.x - (corner.x - view.x) * factor,
      y: corner.y - (corner.y - view.y) * factor,
      zoom: view.zoom * factor,
    };
    const next = moveInto(smaller, room, zoomed);
    if (next !== null) return next;
  }
  return null;
}
