import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Branch } from "#lib/core/steps/define-step-kind";

/** From five ports on a card, the gap between two of them is shorter than a word, so that their labels are in two rows. */
const CROWDED_MIN = 5;
/** With more ports, a label in one of two rows would be shorter than one that is written along its line. */
const UPRIGHT_MIN = 11;
/** What crowded ports leave free for the port of a failure. */
const CORNER_ROOM = 20;
/** Distance of a failure's port from the end of its card. */
const CORNER = { vertical: 14, horizontal: 8 };
/** Distance between two ports on the side of a card: slightly more than an add button. */
const SIDE_PITCH = 25;

/** A port's place along the side of its card: a share of the side's length, less a few pixels. */
export interface PortPlace {
  share: number;
  inset: number;
}

/**
 * Returns where an output port is: evenly spaced, with a single port in the middle, and the port of a failure in the
 * corner, where it moves no other one unless they are crowded.
 */
export function portPlace(outputs: readonly Branch[], index: number, orientation: Orientation): PortPlace {
  if (outputs[index]?.isFailure) return { share: 1, inset: CORNER[orientation] };
  const count = countOrdinary(outputs);
  const share = (index + 1) / (count + 1);
  const isInset = orientation === "vertical" ? isCrowded(outputs, orientation) : count > 1;
  return { share, inset: isInset ? CORNER_ROOM * share : 0 };
}

export function portOffset({ share, inset }: PortPlace, length: number): number {
  return share * length - inset;
}

/** In percent, so that a port is already in place when a growing frame is measured. */
export function portStyle({ share, inset }: PortPlace): string {
  return inset === 0 ? `${100 * share}%` : `calc(${100 * share}% - ${inset}px)`;
}

/** Returns true if the ports are too close together for labels that are written from left to right. */
export function isUpright(outputs: readonly Branch[], orientation: Orientation): boolean {
  return orientation === "vertical" && countOrdinary(outputs) >= UPRIGHT_MIN;
}

/** Returns true if the ports are too close together for labels in one row. */
export function isCrowded(outputs: readonly Branch[], orientation: Orientation): boolean {
  return orientation === "vertical" && countOrdinary(outputs) >= CROWDED_MIN;
}

/** Returns the length that a card's side needs for its ports; 0 if any length is enough. */
export function portsLength(outputs: readonly Branch[], orientation: Orientation): number {
  const count = countOrdinary(outputs);
  return orientation === "vertical" || count < 2 ? 0 : CORNER_ROOM + SIDE_PITCH * (count + 1);
}

function countOrdinary(outputs: readonly Branch[]): number {
  return outputs.filter(({ isFailure }) => isFailure !== true).length;
}
