/** How far users can zoom out and in. 10% shows 200 steps on a laptop. */
export const ZOOM_MIN = 0.1;
export const ZOOM_MAX = 2;

/** What the cards show: everything, tile and name, only the name, or a dot in the color of their kind. */
export type ZoomLevel = "cards" | "titles" | "names" | "dots";

/** The appearance of the drawing at a zoom. Applied once, to the element around all cards (see canvas.css). */
export interface ZoomLook {
  level: ZoomLevel;
  /** Font size of names in the pixels of the drawing, so large that they stay readable on the screen. */
  titlePx: number;
}

/** From the largest zoom to the smallest. The size changes in steps, so that zooming rarely draws all the text again. */
const LOOKS: readonly (ZoomLook & { from: number })[] = [
  { from: 0.75, level: "cards", titlePx: 13 },
  { from: 0.55, level: "cards", titlePx: 17 },
  { from: 0.4, level: "titles", titlePx: 24 },
  { from: 0.32, level: "names", titlePx: 32 },
  { from: 0.25, level: "names", titlePx: 40 },
];
const DOTS: ZoomLook = { level: "dots", titlePx: 40 };

export function zoomLook(zoom: number): ZoomLook {
  return LOOKS.find(({ from }) => zoom >= from) ?? DOTS;
}

/** Sets the appearance on the element around the drawing; does nothing while it stays the same. */
export function applyZoomLook(pane: HTMLElement | null, zoom: number): void {
  const { level, titlePx } = zoomLook(zoom);
  const size = `${titlePx}px`;
  if (pane === null || (pane.dataset.zoom === level && pane.style.getPropertyValue("--card-title") === size)) return;
  pane.dataset.zoom = level;
  pane.style.setProperty("--card-title", size);
}
