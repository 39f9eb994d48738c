import { z } from "zod";
import { canvasNotesSchema } from "#lib/contract/workflow/canvas-note";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";
import { readTypedJson } from "#lib/core/input/read-typed-json";
import { definitionSchema } from "#lib/core/steps/definition-schema";
import { isJsonObject } from "#lib/support/json";
import { CLIP_MARK, type StepClip } from "@/components/canvas/document/clip/step-clip";

const clipSchema = z.object({ signalbox: z.literal(CLIP_MARK), workspace_id: z.string() });
const notesSchema = z.object({ notes: canvasNotesSchema });

/**
 * Returns the steps in a text that was copied from a canvas, exported, or written by a person or a model; null if it
 * has none.
 */
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
  return text.trimStart().startsWith("{") ? readTypedJson(text).value : null;
}
