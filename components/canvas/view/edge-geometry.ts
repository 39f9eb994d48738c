/** Where an edge bends, and where its label and its add button are, in canvas pixels. */
export interface EdgeGeometry {
  /** The height of the horizontal stretch. */
  bendY: number;
  label: { x: number; y: number };
  add: { x: number; y: number };
}

interface EdgeEnds {
  sourceX: number;
  sourceY: number;
  targetX: number;
  targetY: number;
}

/** Branches part soon after their node and lines meet soon before theirs, as a reader expects of a tree. */
const BRANCH_BEND = 34;
const JOIN_BEND = 24;
/** Room for the rounded corners at the other end. */
const ROOM_MIN = 18;
const LABEL_WIDTH_MIN = 80;

export function edgeGeometry(ends: EdgeEnds, isBranch: boolean): EdgeGeometry {
  const { sourceX, sourceY, targetX, targetY } = ends;
  const height = targetY - sourceY;
  const middleY = sourceY + height / 2;
  const bend = isBranch ? BRANCH_BEND : JOIN_BEND;
  // Too little room, or a line that leads upwards: halfway is the only sensible place.
  const bendY = height < bend + ROOM_MIN ? middleY : isBranch ? sourceY + bend : targetY - bend;
  const isBent = Math.abs(targetX - sourceX) > 1;
  if (!isBranch) {
    return { bendY, label: { x: sourceX, y: bendY }, add: { x: sourceX, y: isBent ? (sourceY + bendY) / 2 : middleY } };
  }
  const isWide = Math.abs(targetX - sourceX) > LABEL_WIDTH_MIN;
  const label = isWide
    ? { x: (sourceX + targetX) / 2, y: bendY }
    : { x: sourceX, y: Math.min(bendY, sourceY + height / 3) };
  return { bendY, label, add: { x: targetX, y: (bendY + targetY) / 2 } };
}
