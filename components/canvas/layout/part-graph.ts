import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { FAILED_HANDLE } from "#lib/core/engine/choose-path";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { outgoingInPortOrder, sortAlong } from "@/components/canvas/document/step-order";

/** An edge inside one frame that leads forward. */
export interface PartEdge {
  source: string;
  target: string;
  isFailure: boolean;
}

/**
 * The contents of one frame without cycles. All orders come from ports and from the document, never from positions, so
 * that the same graph always has the same picture.
 */
export interface PartGraph {
  /** Steps that nothing leads to, entry first. */
  roots: readonly string[];
  /** Each step after all steps that lead to it. */
  order: readonly string[];
  leaving: ReadonlyMap<string, readonly PartEdge[]>;
  arriving: ReadonlyMap<string, readonly PartEdge[]>;
  /** The row of each step: one more than that of the lowest step that leads to it. */
  ranks: ReadonlyMap<string, number>;
  /** The nearest step that every path to a step passes through; null if there is none. */
  dominators: ReadonlyMap<string, string | null>;
}

export function readPart(definition: Definition, body: readonly GraphNode[]): PartGraph {
  const entryFirst = body.toSorted((a, b) => Number(STEP_KINDS[a.type].hasInput) - Number(STEP_KINDS[b.type].hasInput));
  const inside = new Set(body.map((node) => node.id));
  const edges = new Map(entryFirst.map((node) => [node.id, edgesInside(definition, node, inside)]));
  const order = sortAlong(new Map([...edges].map(([id, leaving]) => [id, leaving.map(({ target }) => target)])));
  const places = new Map(order.map((id, index) => [id, index]));
  const leaving = new Map<string, PartEdge[]>();
  const arriving = new Map<string, PartEdge[]>();
  for (const id of order) {
    const forward = (edges.get(id) ?? []).filter(({ target }) => (places.get(target) ?? 0) > (places.get(id) ?? 0));
    leaving.set(id, forward);
    for (const edge of forward) arriving.set(edge.target, [...(arriving.get(edge.target) ?? []), edge]);
  }
  const ranks = new Map<string, number>();
  const dominators = new Map<string, string | null>();
  for (const id of order) {
    const sources = (arriving.get(id) ?? []).map(({ source }) => source);
    ranks.set(id, Math.max(-1, ...sources.map((source) => ranks.get(source) ?? 0)) + 1);
    dominators.set(id, commonDominator(sources, dominators, places));
  }
  const roots = entryFirst.map((node) => node.id).filter((id) => !arriving.has(id));
  return { roots, order, leaving, arriving, ranks, dominators };
}

function edgesInside(definition: Definition, node: GraphNode, inside: ReadonlySet<string>): PartEdge[] {
  const { canFail } = STEP_KINDS[node.type];
  return outgoingInPortOrder(definition, node.id)
    .filter(({ target }) => inside.has(target))
    .map(({ source, target, sourceHandle }) => ({
      source,
      target,
      isFailure: canFail && sourceHandle === FAILED_HANDLE,
    }));
}

function commonDominator(
  sources: readonly string[],
  dominators: ReadonlyMap<string, string | null>,
  places: ReadonlyMap<string, number>,
): string | null {
  const place = (id: string | null) => (id === null ? -1 : (places.get(id) ?? -1));
  let common: string | null | undefined;
  for (const source of sources) {
    let other: string | null = source;
    if (common === undefined) common = other;
    while (common !== other) {
      if (place(common) > place(other)) common = dominators.get(common ?? "") ?? null;
      else other = dominators.get(other ?? "") ?? null;
    }
  }
  return common ?? null;
}
