import type { GraphNode } from "#lib/contract/workflow/graph";
import { createCertainSteps } from "#lib/core/graph/certain-steps";
import { describeAbsence } from "#lib/core/graph/checks/describe-absence";
import { ADDRESS_FIELD } from "#lib/core/graph/edges";
import { shapesOf } from "#lib/core/graph/node-shapes";
import { readPath } from "#lib/core/shapes/read-path";
import { closedObject, type Shape, UNKNOWN } from "#lib/core/shapes/shape";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { Analysis } from "@/components/canvas/document/analysis";
import { type EarlierNode, earlierNodes, type Readable } from "@/components/canvas/document/earlier-nodes";
import { framesOf, loopsAround } from "@/components/canvas/document/frames";
import { currentItem } from "@/components/canvas/samples/current-item";
import { type Known, knownOutput } from "@/components/canvas/samples/known-values";

/** Where the last known value of a step comes from. */
export type ValueOrigin = "pinned" | "test" | "event" | "item";

/** Why a value can be missing although it is declared. */
export interface Mark {
  words: "may be skipped" | "may be empty";
  /** A whole sentence. */
  reason: string;
}

/** A step whose data another step can use. */
export interface DataStep {
  node: GraphNode;
  /** The name that expressions use for the step. */
  name: string;
  label: string;
  /** The step's number in reading order. */
  step: number;
  reads: Readable;
  /** True if only the fields that are resolved for each item can use it. */
  isOwn: boolean;
  shape: Shape;
  /** What the name leads to in the last known data; undefined if that is unknown. */
  value: unknown;
  origin: ValueOrigin | null;
  mark: Mark | null;
}

/** Returns the steps whose data a node can use, nearest first. The item and the body of a list step come before them. */
export function listDataSteps(analysis: Analysis, nodeId: string, known: Known): DataStep[] {
  const { index } = analysis;
  const own = ownNodes(analysis, nodeId);
  const certain = createCertainSteps(index);
  const describe = ({ node, reads }: EarlierNode, isOwn: boolean): DataStep => ({
    node,
    name: node === index.entry ? node.type : node.id,
    label: nodeLabel(node),
    step: analysis.steps.get(node.id) ?? 0,
    reads,
    isOwn,
    shape: shapeOf(analysis, node, reads),
    ...lastValueOf(analysis, node, reads, known),
    mark: reads === "output" ? markOf(analysis, node, isCertainFor(node)) : null,
  });
  const ownIds = new Set(own.map(({ node }) => node.id));
  const isCertainFor = ({ id }: GraphNode) =>
    ownIds.has(id) ? certain.isCertainInBody(id) : certain.isCertain(nodeId, id);
  return [
    ...own.map((node) => describe(node, true)),
    ...earlierNodes(index, nodeId).map((node) => describe(node, false)),
  ];
}

/** Returns what a list step reads for each item: its current item, and the steps of its body. */
function ownNodes({ index }: Analysis, nodeId: string): EarlierNode[] {
  const node = index.nodes.get(nodeId);
  if (node === undefined || STEP_KINDS[node.type].itemShape === null) return [];
  const body = framesOf(index.definition).bodyOf.get(nodeId) ?? [];
  return [{ node, reads: "item" }, ...body.map((inner): EarlierNode => ({ node: inner, reads: "output" }))];
}

function shapeOf({ index, catalog }: Analysis, node: GraphNode, reads: Readable): Shape {
  const shapes = shapesOf(index, catalog);
  if (reads === "item") return shapes.ofItem(node) ?? UNKNOWN;
  if (reads === "output") return shapes.ofNode(node);
  const address = readPath(shapes.ofNode(node), [ADDRESS_FIELD]);
  return closedObject([ADDRESS_FIELD, address.kind === "found" ? address.shape : UNKNOWN]);
}

function lastValueOf(
  analysis: Analysis,
  node: GraphNode,
  reads: Readable,
  known: Known,
): Pick<DataStep, "value" | "origin"> {
  if (reads === "item") {
    const value = currentItem(analysis, node, known, loopsAround(analysis.index.definition, node.id));
    return { value, origin: value === undefined ? null : "item" };
  }
  // An address belongs to one run, so the one of the last run means nothing.
  const value = reads === "address" ? undefined : knownOutput(known, node.id);
  if (value === undefined) return { value, origin: null };
  const isGiven = known.results[node.id]?.step.status === "completed";
  return { value, origin: node.id in known.pins ? "pinned" : isGiven ? "test" : "event" };
}

function markOf({ index, catalog }: Analysis, node: GraphNode, isCertain: boolean): Mark | null {
  const absence = describeAbsence(index, node, { path: [] }, shapesOf(index, catalog), isCertain);
  if (absence === null) return null;
  return { words: isCertain ? "may be empty" : "may be skipped", reason: `This value ${absence.message}.` };
}

/** Says when a path of a step leads to nothing; null if it always leads to a value, or if only the step can be missing. */
export function markOfPath(
  { index, catalog }: Analysis,
  { node }: DataStep,
  path: readonly (string | number)[],
): Mark | null {
  const absence = describeAbsence(index, node, { path }, shapesOf(index, catalog), true);
  return absence === null ? null : { words: "may be empty", reason: `This value ${absence.message}.` };
}
