import { z } from "zod";
import { ALL, allInput, fitAnswer, leaveOut } from "#lib/api/mcp/forms/shorten";
import { defineToolForm } from "#lib/api/mcp/forms/tool-form";
import { unlisted } from "#lib/api/mcp/mcp-schemas";
import { listActionsOperation } from "#lib/api/operations/actions";
import {
  getConnectorOperationsOperation,
  getOperationSchemaOperation,
  listConnectorsOperation,
} from "#lib/api/operations/connections/connectors";
import { pageInput } from "#lib/api/operations/define/list-page";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** What a short list leaves out of an action; its `outputSchema` can be requested. */
const LISTED_ACTION = ["workflow_id", "created_at", "updated_at", "release_version", "outputSchema"] as const;

const listActionsForm = defineToolForm(listActionsOperation, {
  input: listActionsOperation.input.extend({
    order: unlisted(listActionsOperation.input.shape.order),
    parts: z.array(z.enum(["outputSchema", ALL])).optional(),
  }),
  run: async (caller, { parts, ...input }, context, view) => {
    const page = await listActionsOperation.run(caller, input, context);
    if (view === "full") return page;
    const hidden = LISTED_ACTION.filter((name) => name !== "outputSchema" || !parts?.includes(name));
    const data = page.data.map((action) => {
      const short = leaveOut(action, hidden);
      if (action.status === "active") delete short.status;
      if (action.approval_policy === "never") delete short.approval_policy;
      return short;
    });
    return fitAnswer({ ...leaveOut(page), data }, parts);
  },
});

/** A page of a list that the operation returns whole. */
function firstOf(data: JsonObject[], limit: number): JsonObject {
  return fitAnswer({ data: data.slice(0, limit), has_more: data.length > limit });
}

function firstWhole(data: readonly object[], limit: number) {
  return { data: data.slice(0, limit), has_more: data.length > limit, next_cursor: null };
}

const limit = pageInput.limit.unwrap().default(100).describe("Items to return.");

const listConnectorsForm = defineToolForm(listConnectorsOperation, {
  input: listConnectorsOperation.input.extend({ limit, parts: allInput }),
  run: async (caller, { limit, parts: _, ...input }, context, view) => {
    const { data } = await listConnectorsOperation.run(caller, input, context);
    if (view === "full") return firstWhole(data, limit);
    return firstOf(
      data.map((item) => leaveOut(item, ["auths", "serves_models"])),
      limit,
    );
  },
});

const getConnectorOperationsForm = defineToolForm(getConnectorOperationsOperation, {
  input: getConnectorOperationsOperation.input.extend({
    q: z.string().trim().max(200).optional().describe("Text that the operation, name or description must contain."),
    limit,
    parts: allInput,
  }),
  run: async (caller, { q = "", limit, parts: _, ...input }, context, view) => {
    const { data } = await getConnectorOperationsOperation.run(caller, input, context);
    const word = q.toLowerCase();
    const found = data.filter(({ operation, name, description }) =>
      [operation, name, description].some((text) => text.toLowerCase().includes(word)),
    );
    if (view === "full") return firstWhole(found, limit);
    return firstOf(
      found.map((item) => leaveOut(item, ["connector"])),
      limit,
    );
  },
});

/** A custom connector can have schemas of any length. */
const getOperationSchemaForm = defineToolForm(getOperationSchemaOperation, {
  input: getOperationSchemaOperation.input.extend({
    parts: z
      .array(z.enum(["params_schema", "output_schema", ALL]))
      .optional()
      .describe("What to return even if it is very long."),
  }),
  run: async (caller, { parts, ...input }, context, view) => {
    const schema = await getOperationSchemaOperation.run(caller, input, context);
    return view === "full" ? schema : fitAnswer(leaveOut(schema), parts);
  },
});

export const CATALOG_FORMS = [listActionsForm, listConnectorsForm, getConnectorOperationsForm, getOperationSchemaForm];
