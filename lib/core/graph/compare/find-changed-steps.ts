import type { z } from "zod";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { work } from "#lib/core/engine/work-settings";
import { templateReferences } from "#lib/core/expressions/template-references";
import { listTemplates } from "#lib/core/graph/checks/list-templates";
import { rerunNodes } from "#lib/core/graph/rerun-nodes";
import { STEP_DATA } from "#lib/core/steps/step-data";
import { ENTRY_NAMES, STEP_KINDS } from "#lib/core/steps/step-kinds";
import { canonicalJson } from "#lib/support/json";
import { parseGiven } from "#lib/support/leave-out-nulls";

interface ChangedRun {
  /** The definition that the run executed. */
  before: Definition;
  after: Definition;
  /** The fields of the run's input that are different now. */
  changedInput: ReadonlySet<string>;
  /** Nodes at which the run continued after a failure. */
  continuedIds: ReadonlySet<string>;
}

/** A changed name or retry setting changes no result that a step already has. */
const FREE_SETTINGS: ReadonlySet<string> = new Set(["name", ...Object.keys(work)]);
/** How a loop repeats its body changes no finished iteration. */
const FREE_LOOP_SETTINGS: ReadonlySet<string> = new Set([...FREE_SETTINGS, "concurrency", "result"]);

/**
 * Returns the nodes of both definitions whose steps a run on the second definition cannot take over from a run on the
 * first (decisions, Replay): nodes that were added or removed, nodes that have another kind, other settings, another
 * loop or other edges into them, nodes that read a changed field of the input, and everything downstream of these.
 * What comes after a step in the graph decides nothing about it.
 */
export function findChangedSteps({ before, after, changedInput, continuedIds }: ChangedRun): Set<string> {
  const former = new Map(before.nodes.map((node) => [node.id, node]));
  const [edgesBefore, edgesAfter] = [sortEdges(before.edges), sortEdges(after.edges)];
  const entryIds = new Set(after.nodes.filter(isEntry).map((node) => node.id));
  const changed: string[] = [];
  const reopened: string[] = [];
  for (const node of after.nodes) {
    const was = former.get(node.id);
    former.delete(node.id);
    const reads = inputReads(node, entryIds, changedInput);
    const isKept =
      was !== undefined &&
      hasSamePlace(was, node) &&
      edgesBefore.into(node.id) === edgesAfter.into(node.id) &&
      (isEntry(node) || hasSameSettings(was, node)) &&
      !reads.some(({ isOfBody }) => !isOfBody) &&
      (!continuedIds.has(node.id) || continuesAsBefore(was, node, [edgesBefore, edgesAfter]));
    if (!isKept) changed.push(node.id);
    else if (reads.length > 0 || (STEP_KINDS[node.type].holdsBody && !hasSameResult(was, node))) reopened.push(node.id);
  }
  const again = rerunNodes(after, changed, reopened);
  // The entry only returns the input: what reads a changed field of it is already on the list.
  if (changedInput.size > 0) for (const id of entryIds) again.add(id);
  for (const id of former.keys()) again.add(id);
  return again;
}

function isEntry({ type }: GraphNode): boolean {
  return STEP_KINDS[type].starts !== null;
}

function hasSamePlace(was: GraphNode, now: GraphNode): boolean {
  return was.type === now.type && was.parentId === now.parentId;
}

function hasSameSettings(was: GraphNode, now: GraphNode): boolean {
  const free = STEP_KINDS[now.type].holdsBody ? FREE_LOOP_SETTINGS : FREE_SETTINGS;
  return settingsText(was, free) === settingsText(now, free);
}

/** The items of a loop do not depend on what it collects from them. */
function hasSameResult(was: GraphNode, now: GraphNode): boolean {
  return canonicalJson(was.data.result ?? null) === canonicalJson(now.data.result ?? null);
}

/** A failure that the run continued after counts only while the step would end the same way. */
function continuesAsBefore(was: GraphNode, now: GraphNode, [before, after]: [SortedEdges, SortedEdges]): boolean {
  const name = new Set(["name"]);
  return settingsText(was, name) === settingsText(now, name) && before.outOf(now.id) === after.outOf(now.id);
}

/** A setting that was left out and its default are the same. */
function settingsText({ type, data }: GraphNode, free: ReadonlySet<string>): string {
  const parsed = parseGiven<z.ZodType>(STEP_DATA[type], data);
  const settings = Object.entries(parsed.success ? (parsed.data as JsonObject) : data);
  return canonicalJson(Object.fromEntries(settings.filter(([key, value]) => !free.has(key) && value !== undefined)));
}

type SortedEdges = ReturnType<typeof sortEdges>;

function sortEdges(edges: readonly GraphEdge[]) {
  const texts = (ends: Map<string, GraphEdge[]>, other: "source" | "target") => (id: string) =>
    (ends.get(id) ?? [])
      .map((edge) => JSON.stringify([edge[other], edge.sourceHandle ?? ""]))
      .sort()
      .join();
  return {
    into: texts(
      Map.groupBy(edges, (edge) => edge.target),
      "source",
    ),
    outOf: texts(
      Map.groupBy(edges, (edge) => edge.source),
      "target",
    ),
  };
}

/** Lists where a node reads a changed field of the input, or all of the input. */
function inputReads(
  node: GraphNode,
  entryIds: ReadonlySet<string>,
  fields: ReadonlySet<string>,
): { isOfBody: boolean }[] {
  if (fields.size === 0 || isEntry(node)) return [];
  const isInput = (name: string) => entryIds.has(name) || ENTRY_NAMES.includes(name);
  const { jsonata } = node.data;
  // An expression gets every step whose name is one of its words.
  const words = typeof jsonata === "string" ? (jsonata.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []) : [];
  const reads = listTemplates(node).filter(({ text }) =>
    templateReferences(text).some(({ name, path: [field] }) => {
      // The output of a trigger is the whole event.
      return isInput(name) && (field === undefined || field === "output" || fields.has(String(field)));
    }),
  );
  return words.some(isInput) ? [...reads, { isOfBody: false }] : reads;
}
