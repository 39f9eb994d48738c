import type { Point } from "@/components/canvas/document/dimensions";
import type { PlannedPort } from "@/components/canvas/lines/line-plan";
import { ADD_ROOM, ADD_TARGET, LABEL_GAP, LABEL_THICKNESS } from "@/components/canvas/lines/line-sizes";
import type { Rect } from "@/components/canvas/lines/orientation";

type LabelledPort = Pick<PlannedPort, "x" | "y" | "label">;

/** Distance between a label and the parts before and after it. */
const LABEL_MARGIN = LABEL_GAP / 2;

/** Returns the area of a port's label, turned like its plan. */
export function labelBox({ x, y, label }: LabelledPort): Rect | null {
  if (label === null) return null;
  const { across, along, shift, row } = label;
  const width = row?.width ?? across;
  const height = row === undefined ? along : LABEL_THICKNESS;
  return { x: x + shift - width / 2, y: y + LABEL_MARGIN + (row?.start ?? 0), width, height };
}

/** Returns the middle of an open port's add button, turned like its plan. */
export function openAdd({ x, y, label }: LabelledPort): Point {
  return { x, y: y + (label === null ? LABEL_GAP : LABEL_GAP + label.along) + ADD_ROOM / 2 };
}

/**
 * Returns the middle of the add button of a port that only the selection shows, turned like its plan. No line makes room
 * for it, so it is next to its label, where no line bends.
 */
export function quietAdd(port: LabelledPort & { isUpright: boolean }): Point {
  const label = port.isUpright ? null : labelBox(port);
  if (label === null) return openAdd(port);
  return { x: label.x - LABEL_MARGIN - ADD_TARGET / 2, y: label.y + label.height / 2 };
}

export function targetAround({ x, y }: Point): Rect {
  return { x: x - ADD_TARGET / 2, y: y - ADD_TARGET / 2, width: ADD_TARGET, height: ADD_TARGET };
}
