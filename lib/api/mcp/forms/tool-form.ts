import type { z } from "zod";
import type { Caller, RequestContext } from "#lib/api/operations/define/caller";
import type { Operation } from "#lib/api/operations/define/define-operation";
import type { JsonObject } from "#lib/contract/json-schema";

/**
 * What an operation takes and answers as a tool, if that differs from the other surfaces: agents pay for every character
 * that they read, so their answers are short unless they ask for more. `invoke` checks scope and input as for the
 * operation itself.
 */
export interface ToolForm<Schema extends z.ZodObject = z.ZodObject> {
  input: Schema;
  run(caller: Caller, input: z.output<Schema>, context: RequestContext): Promise<object>;
  /** JSON Schemas of arguments, where what zod derives would be longer than what a model needs. */
  schemas?: Readonly<Record<string, JsonObject>>;
}

export function defineToolForm<Schema extends z.ZodObject>(
  operation: Operation,
  form: ToolForm<Schema>,
): readonly [string, ToolForm] {
  return [operation.name, form];
}
