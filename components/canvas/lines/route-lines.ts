import type { Point } from "@/components/canvas/document/dimensions";
import { type Course, chooseColumn, courseColumn, type LineColumn } from "@/components/canvas/lines/choose-column";
import { findHidden } from "@/components/canvas/lines/find-hidden";
import { type BarsOfLine, gatherBars } from "@/components/canvas/lines/gather-bars";
import { type LinePlan, type PlannedLine, surveyPlan, type Terrain } from "@/components/canvas/lines/line-plan";
import { CARD_CLEARANCE } from "@/components/canvas/lines/line-sizes";
import { stackBars } from "@/components/canvas/lines/stack-bars";

/**
 * Returns the corners of each line, from its port to its target: around cards, with one bend height per port, and with
 * a lane of its own wherever it runs next to another line.
 */
export function routeLines(plan: LinePlan): Map<string, Point[]> {
  const terrain = surveyPlan(plan, CARD_CLEARANCE);
  const detoured = new Set<string>();
  for (let attempt = 0; ; attempt += 1) {
    const courses = chooseCourses(terrain, detoured);
    const { bars, ofLine } = gatherBars(courses, terrain);
    stackBars(bars, ofLine);
    const corners = courses.map((course) => ({
      line: course.line,
      points: cornersOf(course, ofLine.get(course.line.id)),
    }));
    const hidden = findHidden(corners, detoured);
    if (hidden.length === 0 || attempt === ATTEMPTS_MAX) {
      return new Map(corners.map(({ line, points }) => [line.id, points]));
    }
    for (const id of hidden) detoured.add(id);
  }
}

/** Two lines that swap their places in one row can't be drawn with one bend each; a detour of one of them is enough. */
const ATTEMPTS_MAX = 3;

/** Returns the corners of one line, without regard to the others: for a card that is being dragged. */
export function routeAlone(line: PlannedLine, terrain: Terrain): Point[] {
  const course = chooseColumn(line, terrain, []);
  const { bars, ofLine } = gatherBars([course], terrain);
  stackBars(bars, ofLine);
  return cornersOf(course, ofLine.get(line.id));
}

/** Short lines choose first, because they have fewer courses to choose from. */
function chooseCourses(terrain: Terrain, detoured: ReadonlySet<string>): Course[] {
  const { lines } = terrain.plan;
  const byLength = lines.toSorted((a, b) => heightOf(a) - heightOf(b));
  const taken: LineColumn[] = [];
  const courses = new Map<string, Course>();
  for (const line of byLength) {
    const course = chooseColumn(line, terrain, taken, detoured.has(line.id));
    courses.set(line.id, course);
    taken.push(courseColumn(course));
  }
  return lines.flatMap(({ id }) => courses.get(id) ?? []);
}

function heightOf({ from, to }: PlannedLine): number {
  return Math.abs(to.y - from.y);
}

function cornersOf({ line, column }: Course, bars: BarsOfLine | undefined): Point[] {
  const { from, to } = line;
  const corners = [from];
  if (bars?.first) corners.push({ x: from.x, y: bars.first.y }, { x: column, y: bars.first.y });
  if (bars?.second) corners.push({ x: column, y: bars.second.y }, { x: to.x, y: bars.second.y });
  corners.push(to);
  return corners.filter((point, index) => index === 0 || !isSame(point, corners[index - 1]));
}

function isSame(point: Point, other: Point | undefined): boolean {
  return point.x === other?.x && point.y === other.y;
}
