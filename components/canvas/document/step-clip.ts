import { z } from "zod";
import { type CanvasNote, canvasNotesSchema } from "#lib/contract/canvas-note";
import type { Definition, GraphNode } from "#lib/contract/graph";
import { indexGraph } from "#lib/core/graph/edges";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";
import { rewriteReferences } from "#lib/core/graph/edits/rewrite-references";
import { definitionSchema } from "#lib/core/steps/definition-schema";
import { isJsonObject } from "#lib/support/json";
import { outermostOf, placeOf, withBodies } from "@/components/canvas/document/frames";

/** Steps on the clipboard: a document of their own, readable by people and by this page. */
export interface StepClip {
  definition: Definition;
  notes: readonly CanvasNote[];
  /** Whose connections its steps name; null for a definition that was written elsewhere. */
  workspaceId: string | null;
}

const MARK = "steps";
const clipSchema = z.object({ signalbox: z.literal(MARK), workspace_id: z.string() });
const notesSchema = z.object({ notes: canvasNotesSchema });

/**
 * These steps with everything inside the loops among them, and the lines between them. References to the workflow's
 * beginning go by the name it has in every workflow. Secrets stay where they are: a clipboard is for everybody.
 */
export function writeClip(
  definition: Definition,
  nodeIds: Iterable<string>,
  workspaceId: string,
  notes: readonly CanvasNote[] = [],
): string {
  const ids = withBodies(definition, nodeIds);
  const outermost = outermostOf(definition, ids);
  const { entry } = indexGraph(definition);
  const names = new Map(entry === null ? [] : [[entry.id, entry.type]]);
  const nodes = definition.nodes
    .filter((node) => ids.has(node.id))
    .map((node) => {
      const { parentId: _frame, ...free } = node;
      const standing = outermost.has(node.id) ? { ...free, position: placeOf(definition, node) } : node;
      return { ...standing, data: rewriteReferences(withoutSecret(node), names) };
    });
  const edges = definition.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  const written = notes.length === 0 ? {} : { notes };
  return JSON.stringify({ signalbox: MARK, workspace_id: workspaceId, nodes, edges, ...written }, null, 2);
}

function withoutSecret({ type, data }: GraphNode): GraphNode["data"] {
  if (type !== "trigger") return data;
  const { secret: _secret, ...rest } = data;
  return rest;
}

/** The steps in a text: copied from a canvas, exported, or written by hand or by a model. Null where there are none. */
export function readClip(text: string): StepClip | null {
  const value = readJson(text);
  const clip = clipSchema.safeParse(value);
  const document = isJsonObject(value) && value.definition !== undefined ? value.definition : value;
  const definition = definitionSchema.safeParse(document);
  const notes = notesSchema.safeParse(value).data?.notes ?? [];
  if (!definition.success || definition.data.nodes.length + notes.length === 0) return null;
  const workspaceId = clip.success ? clip.data.workspace_id : null;
  return { definition: placeNodes(definition.data), notes, workspaceId };
}

function readJson(text: string): unknown {
  const start = text.trimStart().charAt(0);
  if (start !== "{") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
