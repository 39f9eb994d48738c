import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { validateConnectorInput } from "#lib/contract/connector/connector-inputs";
import { API_ERROR_STATUS, type ApiErrorCode, reasonsOfCode } from "#lib/contract/error/api-error";
import { runWarningSchema, stepSchema } from "#lib/contract/run/journal-schema";
import { customVerification } from "#lib/contract/webhooks/verification";
import { EXAMPLE_DATA } from "#lib/core/expressions/functions/example-data.fixture";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { definitionSchema } from "#lib/core/steps/definition-schema";
import { STEP_DATA } from "#lib/core/steps/step-data";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";

/** Fields with ids of connections, which belong to a workspace, so an example cannot name a real one. */
const UNKNOWABLE = ["connection_id", "model"];

const mcpServer = z.object({
  url: z.url().endsWith("/mcp?answers=short"),
  headers: z.object({ Authorization: z.string() }),
});
const mcpConfiguration = z.union([
  z.object({ mcpServers: z.object({ signalbox: mcpServer }) }),
  z.object({ servers: z.object({ signalbox: mcpServer }), inputs: z.array(z.object({ id: z.string() })) }),
]);
const errorBody = z
  .object({ error: z.string(), code: z.enum(Object.keys(API_ERROR_STATUS) as ApiErrorCode[]), reason: z.string() })
  .refine(({ code, reason }) => reasonsOfCode(code).some((known) => known === reason), "not a reason of this code");

/**
 * Returns the problems of a JSON example. The example can be a workflow, a step, a trigger, the description of a
 * sender, the source of a connector, a configuration, or an error.
 */
export function checkJson(value: unknown): string[] {
  if (!isJsonObject(value)) return ["no check knows this JSON"];
  if ("nodes" in value) {
    const parsed = definitionSchema.safeParse(value);
    if (!parsed.success) return issuesOf(parsed.error);
    return validateGraph(parsed.data).map(({ message }) => message);
  }
  if ("type" in value && "data" in value) {
    const type = STEP_TYPES.find((known) => known === value.type);
    if (type === undefined) return [`no step kind is called ${String(value.type)}`];
    return issuesOf(STEP_DATA[type].safeParse(value.data).error);
  }
  if ("signature" in value || "token" in value) return issuesOf(customVerification.safeParse(value).error);
  if ("kind" in value) return issuesOf(STEP_DATA.trigger.safeParse(value).error);
  if ("servers" in value || "mcpServers" in value) return issuesOf(mcpConfiguration.safeParse(value).error);
  if ("openapi_url" in value) return issuesOf(validateConnectorInput.strict().safeParse(value).error);
  if ("resolved_until" in value) return issuesOf(runWarningSchema.safeParse(value).error);
  if ("console" in value) return issuesOf(stepSchema.partial().strict().safeParse(value).error);
  if ("order" in value) return isDeepStrictEqual(value, EXAMPLE_DATA) ? [] : ["is not the data of the examples"];
  if ("error" in value) return issuesOf(errorBody.safeParse(value).error);
  return ["no check knows this JSON"];
}

function issuesOf(error: z.ZodError | undefined): string[] {
  const issues = (error?.issues ?? []).filter(({ path }) => !UNKNOWABLE.includes(String(path[0])));
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}
