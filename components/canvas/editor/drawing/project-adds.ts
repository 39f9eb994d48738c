import type { Definition, GraphEdge } from "#lib/contract/workflow/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import type { Analysis } from "@/components/canvas/document/analysis";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { placeOf } from "@/components/canvas/document/frames";
import type { DrawnLines } from "@/components/canvas/layout/draw-lines";
import { portKey } from "@/components/canvas/layout/plan-frame";

/** An add button on a line, relative to the step that the line starts from. */
interface LineAdd {
  edgeId: string;
  label: string;
  x: number;
  y: number;
}
/** By port. */
export type LineAdds = ReadonlyMap<string, readonly LineAdd[]>;

interface AddsInput {
  definition: Definition;
  analysis: Analysis;
  isReadOnly: boolean;
}

const NO_ADDS: LineAdds = new Map();

/** Returns the add buttons of all lines; unchanged ones keep their identity. */
export function projectAdds(input: AddsInput, lines: DrawnLines, last: LineAdds = NO_ADDS): LineAdds {
  if (input.isReadOnly) return NO_ADDS;
  const { nodes } = input.analysis.index;
  const adds = new Map<string, readonly LineAdd[]>();
  const byPort = Map.groupBy(input.definition.edges, (edge) => portKey(edge.source, edge.sourceHandle ?? null));
  for (const [key, edges] of byPort) {
    const placed = edges.flatMap((edge): LineAdd[] => {
      const source = nodes.get(edge.source);
      const at = lines.get(edge.id)?.add ?? null;
      if (source === undefined || at === null) return [];
      const { x, y } = placeOf(input.definition, source);
      return [{ edgeId: edge.id, label: describeAdd(input, edge, edges.length > 1), x: at.x - x, y: at.y - y }];
    });
    const before = last.get(key);
    const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(placed);
    if (placed.length > 0) adds.set(key, isSame ? before : placed);
  }
  return adds;
}

/** Names the branch, if the step has several; and the next step, if nothing else distinguishes two buttons. */
function describeAdd({ analysis }: AddsInput, edge: GraphEdge, isShared: boolean): string {
  const { nodes, outgoing } = analysis.index;
  const nameOf = (id: string) => {
    const node = nodes.get(id);
    return node === undefined ? id : nodeLabel(node);
  };
  const source = nodes.get(edge.source);
  const outputs = source === undefined ? [] : branchesOf(source, outgoing.get(source.id) ?? []);
  const label = outputs.find(({ handle }) => handle === (edge.sourceHandle ?? null))?.label ?? "";
  if (label === "") return `Add a step between ${nameOf(edge.source)} and ${nameOf(edge.target)}`;
  const next = isShared ? `, before ${nameOf(edge.target)}` : "";
  return `Add a step after ${nameOf(edge.source)}, branch ${label}${next}`;
}
