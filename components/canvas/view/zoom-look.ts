/** How far users can zoom out and in. 2% shows a chain of 200 steps on a laptop. */
export const ZOOM_MIN = 0.02;
export const ZOOM_MAX = 2;
/** The smallest zoom at which cards have their normal text. */
export const READABLE_ZOOM = 0.75;

/** What the cards show: everything, tile and name, only the name, or a dot in the color of their kind. */
export type ZoomLevel = "cards" | "titles" | "names" | "dots";

/** The appearance of the drawing at a zoom (see canvas.css). */
export interface ZoomLook {
  level: ZoomLevel;
  /** Font size of names in the pixels of the drawing, so large that they stay readable on the screen. */
  titlePx: number;
}

/** From the largest zoom to the smallest. The size changes in steps, so that zooming rarely draws all the text again. */
const LOOKS: readonly (ZoomLook & { from: number })[] = [
  { from: READABLE_ZOOM, level: "cards", titlePx: 13 },
  { from: 0.55, level: "cards", titlePx: 17 },
  { from: 0.4, level: "titles", titlePx: 24 },
  { from: 0.32, level: "names", titlePx: 32 },
  { from: 0.25, level: "names", titlePx: 40 },
];
const DOTS: ZoomLook = { level: "dots", titlePx: 40 };

export function zoomLook(zoom: number): ZoomLook {
  return LOOKS.find(({ from }) => zoom >= from) ?? DOTS;
}

/** How many cards change in one frame. All 200 at once would take several frames' time. */
const CARDS_PER_FRAME = 25;
const CARD = ".react-flow__node";

interface Drawing {
  look: ZoomLook;
  /** The frame that changes the next cards; null if all have the look. */
  frame: number | null;
}
const drawings = new WeakMap<HTMLElement, Drawing>();

/**
 * Sets the appearance on the element around the drawing at once, and on the cards a part in each frame, so that the wheel
 * stays smooth. A new card has it from its first frame. Does nothing while the appearance stays the same.
 */
export function applyZoomLook(pane: HTMLElement | null, zoom: number): void {
  if (pane === null) return;
  const look = zoomLook(zoom);
  const drawing = drawings.get(pane);
  if (!drawing) open(pane, look);
  if (!drawing || drawing.look === look) return;
  drawing.look = look;
  pane.dataset.zoom = look.level;
  drawing.frame ??= requestAnimationFrame(() => changeCards(pane, drawing));
}

function open(pane: HTMLElement, look: ZoomLook): void {
  const drawing = { look, frame: null };
  drawings.set(pane, drawing);
  pane.dataset.zoom = look.level;
  for (const card of pane.querySelectorAll<HTMLElement>(CARD)) setLook(card, look);
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLElement)) continue;
      const cards = node.matches(CARD) ? [node] : node.querySelectorAll<HTMLElement>(CARD);
      for (const card of cards) setLook(card, drawing.look);
    }
  }).observe(pane, { childList: true, subtree: true });
}

function changeCards(pane: HTMLElement, drawing: Drawing): void {
  const { look } = drawing;
  const waiting = [...pane.querySelectorAll<HTMLElement>(CARD)].filter((card) => !hasLook(card, look));
  for (const card of waiting.slice(0, CARDS_PER_FRAME)) setLook(card, look);
  const isDone = waiting.length <= CARDS_PER_FRAME;
  drawing.frame = isDone ? null : requestAnimationFrame(() => changeCards(pane, drawing));
}

const sizeOf = ({ titlePx }: ZoomLook) => `${titlePx}px`;

function hasLook({ dataset, style }: HTMLElement, look: ZoomLook): boolean {
  return dataset.zoom === look.level && style.getPropertyValue("--card-title") === sizeOf(look);
}

function setLook(card: HTMLElement, look: ZoomLook): void {
  card.dataset.zoom = look.level;
  card.style.setProperty("--card-title", sizeOf(look));
}
