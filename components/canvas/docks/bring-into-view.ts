import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { freePlace, type Room } from "@/components/canvas/docks/free-place";
import { readRoom } from "@/components/canvas/docks/read-room";
import type { Box } from "@/components/canvas/document/dimensions";
import { placeOf } from "@/components/canvas/document/frames";
import { nodeSize } from "@/components/canvas/layout/node-size";
import type { EditorState } from "@/components/canvas/store/editor-store";
import type { View } from "@/components/canvas/store/sticky-view";
import { ZOOM_MIN } from "@/components/canvas/view/zoom-look";

/** The part of a loop that must be visible, in the pixels of the drawing: its name and its line of text. */
const LOOP_HEAD = { width: 320, height: 90 };
const ZOOM_OUT = 0.9;

type Drawing = Pick<EditorState, "definition" | "notes" | "sizes" | "orientation">;

/**
 * Returns the view that shows a whole step or note, next to everything that covers a part of the drawing; null if it does
 * not exist, nothing is rendered, or there is no place. It keeps the zoom unless the card would not fit. Of a loop that
 * does not fit, it shows the start.
 *
 * The card's place comes from the document. On the screen, a card can be a few frames behind or still on its way, and the
 * view would move to the wrong place.
 */
export function viewOf(drawing: Drawing, id: string, view: View): View | null {
  const room = readRoom();
  const place = boxIn(drawing, id);
  if (room === null || place === null) return null;
  const { zoom } = view;
  const x = room.pane.x + view.x + place.box.x * zoom;
  const y = room.pane.y + view.y + place.box.y * zoom;
  const box = { x, y, width: place.box.width * zoom, height: place.box.height * zoom };
  const next = moveInto(box, room, view);
  if (next !== null || !place.isLoop) return next ?? zoomOutInto(box, room, view);
  const width = Math.min(box.width, LOOP_HEAD.width * zoom);
  const head = { x, y, width, height: Math.min(box.height, LOOP_HEAD.height * zoom) };
  return moveInto(head, room, view) ?? zoomOutInto(head, room, view);
}

/** In the pixels of the drawing. */
function boxIn(drawing: Drawing, id: string): { box: Box; isLoop: boolean } | null {
  const { definition, notes, sizes, orientation } = drawing;
  const note = notes.find((other) => other.id === id);
  if (note !== undefined) return { box: { ...note.position, width: note.width, height: note.height }, isLoop: false };
  const node = definition.nodes.find((other) => other.id === id);
  if (node === undefined) return null;
  const box = { ...placeOf(definition, node), ...nodeSize(definition, node, sizes, orientation) };
  return { box, isLoop: STEP_KINDS[node.type].holdsBody };
}

/** Returns null if there is no place at this zoom. */
function moveInto(card: Box, room: Room, view: View): View | null {
  const place = freePlace(card, room);
  return place === null ? null : { x: view.x + place.x - card.x, y: view.y + place.y - card.y, zoom: view.zoom };
}

/** Zooms out around the card's corner until there is a place for it. */
function zoomOutInto(card: Box, room: Room, view: View): View | null {
  for (let factor = ZOOM_OUT; view.zoom * factor >= ZOOM_MIN; factor *= ZOOM_OUT) {
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
