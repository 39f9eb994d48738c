import { z } from "zod";
import { CATALOG_FORMS } from "#lib/api/mcp/forms/catalog-forms";
import { RUN_FORMS } from "#lib/api/mcp/forms/run-forms";
import { ALL, leaveOut } from "#lib/api/mcp/forms/shorten";
import type { ToolForm } from "#lib/api/mcp/forms/tool-form";
import { WORKFLOW_FORMS } from "#lib/api/mcp/forms/workflow-forms";
import { unlisted } from "#lib/api/mcp/mcp-schemas";
import { ANSWER_VIEWS, type AnswerView, type RequestContext } from "#lib/api/operations/define/caller";
import type { Operation } from "#lib/api/operations/define/define-operation";
import { IDEMPOTENCY_KEY_PATTERN } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

const FORMS: ReadonlyMap<string, ToolForm> = new Map([...RUN_FORMS, ...WORKFLOW_FORMS, ...CATALOG_FORMS]);

const repeatInput = {
  idempotency_key: z
    .string()
    .regex(IDEMPOTENCY_KEY_PATTERN, "must be 1 to 255 visible ASCII characters")
    .optional()
    .describe("Calls with the same key create one."),
};
/** What the key means is in the instructions. */
const REPEAT_SCHEMA = { idempotency_key: { type: "string" } };

const viewInput = z.enum(ANSWER_VIEWS).optional();

/**
 * Returns an operation as agents call it, and the JSON Schemas of its arguments that are not derived. Only `view` and the
 * address of the endpoint decide between the short and the full answer. `parts: ["all"]` is the older spelling of
 * `view: "full"`.
 */
export function asTool(operation: Operation): { operation: Operation; schemas: ToolForm["schemas"] } {
  const form = FORMS.get(operation.name);
  const { input, run, schemas } = form ?? plainForm(operation);
  // An answer that differs only by nulls is not worth the tokens of an argument in every list.
  const view = form ? viewInput : unlisted(viewInput);
  const tool: Operation = {
    ...operation,
    input: input.extend({ ...(operation.creates ? repeatInput : {}), view }),
    run: (caller, { view: asked, ...given }, context) => {
      const args = operation.creates ? takeRepeat(operation.name, given, context) : given;
      return run(caller, args, context, chooseView(asked, given, context));
    },
  };
  return { operation: tool, schemas: { ...schemas, ...(operation.creates ? REPEAT_SCHEMA : {}) } };
}

/** Takes the idempotency key out of the arguments, and remembers what must be equal in a repeated call. */
function takeRepeat(name: string, { idempotency_key: key, ...args }: JsonObject, context: RequestContext): JsonObject {
  if (typeof key !== "string") return args;
  const { parts: _parts, steps: _steps, wait_seconds: _wait, ...payload } = args;
  context.repeat = { key, operation: name, payload };
  return args;
}

function chooseView(asked: unknown, { parts }: { parts?: unknown }, { agent }: RequestContext): AnswerView {
  const isAsked = viewInput.unwrap().safeParse(asked);
  if (isAsked.success) return isAsked.data;
  return Array.isArray(parts) && parts.includes(ALL) ? "full" : (agent?.view ?? "full");
}

/** The form of a tool whose answer is short enough: the short one has no nulls. */
function plainForm(operation: Operation): ToolForm {
  return {
    input: operation.input,
    run: async (caller, input, context, view) => {
      const answer = await operation.run(caller, input, context);
      if (!isJsonObject(answer)) throw new TypeError(`${operation.name} must answer an object`);
      return view === "full" ? answer : leaveOut(answer);
    },
  };
}
