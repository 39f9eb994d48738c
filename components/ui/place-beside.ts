export type Side = "top" | "right" | "bottom" | "left";

const GAP = 6;
const MARGIN = 8;
const OPPOSITE: Record<Side, Side> = { top: "bottom", bottom: "top", left: "right", right: "left" };

/**
 * Moves a fixed element next to its anchor, inside the window: on the given side, or on the opposite side if there is
 * no room.
 */
export function placeBeside(floating: HTMLElement, anchor: HTMLElement, side: Side): void {
  const around = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = floating;
  const room = {
    top: around.top,
    bottom: window.innerHeight - around.bottom,
    left: around.left,
    right: window.innerWidth - around.right,
  };
  const needed = (side === "top" || side === "bottom" ? height : width) + GAP + MARGIN;
  const shown = room[side] < needed && room[OPPOSITE[side]] > room[side] ? OPPOSITE[side] : side;
  const left = {
    top: around.left + (around.width - width) / 2,
    bottom: around.left + (around.width - width) / 2,
    left: around.left - GAP - width,
    right: around.right + GAP,
  }[shown];
  const top = {
    top: around.top - GAP - height,
    bottom: around.bottom + GAP,
    left: around.top + (around.height - height) / 2,
    right: around.top + (around.height - height) / 2,
  }[shown];
  floating.style.left = `${clamp(left, window.innerWidth - width - MARGIN)}px`;
  floating.style.top = `${clamp(top, window.innerHeight - height - MARGIN)}px`;
}

function clamp(value: number, max: number): number {
  return Math.round(Math.max(MARGIN, Math.min(value, max)));
}
