import { RANK_GAP } from "@/components/canvas/document/dimensions";
import { type LinePlan, surveyPlan } from "@/components/canvas/lines/line-plan";
import { CARD_CLEARANCE, LANE_GAP, STUB } from "@/components/canvas/lines/line-sizes";
import { routeLines } from "@/components/canvas/lines/route-lines";

/** Far more than all lines between two rows need. */
export const LOOSE_GAP = 4_000;

export interface Row {
  top: number;
  bottom: number;
}

/** Returns the gap that the lines after each row need, from a drawing with rows far apart. */
export function measureRows(plan: LinePlan, rows: readonly Row[]): number[] {
  const bends = [...routeLines(plan).values()].flatMap((points) =>
    points.filter(({ y }, index) => index > 0 && points[index - 1]?.y === y).map(({ y }) => y),
  );
  const { drops, rises } = surveyPlan(plan, CARD_CLEARANCE);
  return rows.slice(0, -1).map((row, index) => {
    const next = rows[index + 1] ?? row;
    const middle = (row.bottom + next.top) / 2;
    const inside = bends.filter((y) => y > row.top && y < next.bottom);
    const upper = inside.filter((y) => y <= middle).map((y) => y - row.bottom);
    const lower = inside.filter((y) => y > middle).map((y) => next.top - y);
    const above = plan.ports.filter(({ y, isHidden }) => y > row.top && y < middle && !isHidden);
    const below = [...plan.cards].filter(([, box]) => box.y === next.top);
    const dropsHere = above.map(({ key, y }) => y + (drops.get(key) ?? STUB) - row.bottom);
    const risesHere = below.map(([id]) => rises.get(id) ?? STUB);
    const between = upper.length > 0 && lower.length > 0 ? LANE_GAP : 0;
    return Math.ceil(
      Math.max(RANK_GAP, Math.max(0, ...upper, ...dropsHere) + Math.max(0, ...lower, ...risesHere) + between + 4),
    );
  });
}
