import type { z } from "zod";
import type { AnswerView, Caller, RequestContext } from "#lib/api/operations/define/caller";
import type { Operation } from "#lib/api/operations/define/define-operation";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/**
 * What an operation takes as a tool, and its short answer, if they differ from the other surfaces: agents pay for every
 * character that they read, so they can ask for less. `invoke` checks scope and input as for the operation itself.
 */
export interface ToolForm<Schema extends z.ZodObject = z.ZodObject> {
  input: Schema;
  /** @param view full answers the object of the other surfaces, unchanged (contract, Endpoints) */
  run(caller: Caller, input: z.output<Schema>, context: RequestContext, view: AnswerView): Promise<object>;
  /** JSON Schemas of arguments, where what zod derives would be longer than what a model needs. */
  schemas?: Readonly<Record<string, JsonObject>>;
}

export function defineToolForm<Schema extends z.ZodObject>(
  operation: Operation,
  form: ToolForm<Schema>,
): readonly [string, ToolForm] {
  return [operation.name, form];
}
