/** Where an edge bends, and where its label and add button are, in canvas pixels. */
export interface EdgeGeometry {
  /** The y coordinate of the horizontal segment. */
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

/** Branches split soon after their node, and lines join soon before theirs, as readers expect of a tree. */
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
  // With too little room, or for a line that leads upwards, halfway is the only sensible place.
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
