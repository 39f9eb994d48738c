import { describeOperation } from "#lib/api/openapi/openapi-operation";
import { namedRef, openObjects } from "#lib/api/openapi/openapi-schemas";
import { runActionOperation } from "#lib/api/operations/calls/run-action";
import type { ActionObject } from "#lib/contract/action/action";
import type { OpenApiOperation, OpenApiPath } from "#lib/contract/openapi/openapi";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { currentSchema } from "#lib/core/input/input-aliases";

interface DescribedActions {
  paths: Record<string, OpenApiPath>;
  schemas: Record<string, JsonObject>;
}

/**
 * Describes `POST /actions/<slug>/run` of each action with its own schemas, in addition to the path for any slug. A
 * slug contains no underscore and no dot, so operation ids and schema names cannot collide.
 */
export function describeActions(actions: readonly ActionObject[]): DescribedActions {
  const { rest } = runActionOperation;
  if (!rest) throw new Error("run_action has no path");
  const generic = describeOperation(runActionOperation, rest);
  return {
    paths: Object.fromEntries(
      actions.map((action) => [
        rest.path.replace(":slug", action.slug),
        { post: describeRun(action, generic) } satisfies OpenApiPath,
      ]),
    ),
    schemas: Object.assign({}, ...actions.map(describeSchemas)),
  };
}

const nameOf = ({ slug }: ActionObject, part: "input" | "output" | "run") => `${slug}.${part}`;

function describeSchemas(action: ActionObject): Record<string, JsonObject> {
  const { name, inputSchema, outputSchema } = action;
  const output =
    outputSchema === null
      ? {}
      : { [nameOf(action, "output")]: { title: `Output of ${name}`, ...openObjects(outputSchema) } };
  const isOutput =
    outputSchema === null
      ? { type: ["object", "null"], additionalProperties: {} }
      : { anyOf: [namedRef(nameOf(action, "output")), { type: "null" }] };
  return {
    [nameOf(action, "input")]: { title: `Input of ${name}`, ...openObjects(inputSchema) },
    ...output,
    [nameOf(action, "run")]: {
      title: `Run of ${name}`,
      allOf: [namedRef("Run"), { type: "object", properties: { output: isOutput } }],
    },
  };
}

function describeRun(action: ActionObject, generic: OpenApiOperation): OpenApiOperation {
  const { slug, name, description, release_version: version, approval_policy: policy } = action;
  const wait = policy === "always" ? " Every run first waits for an approval." : "";
  const success = generic.responses["202"];
  const body = generic.requestBody?.content["application/json"].schema;
  if (!success || !body || !generic.requestBody) throw new Error("run_action is not described as expected");
  return {
    ...generic,
    operationId: `run_action_${slug.replaceAll("-", "_")}`,
    summary: `Run ${name}`,
    description: `${description ?? `Starts a run of ${slug}.`} Release v${version}.${wait}`,
    parameters: generic.parameters.filter((parameter) => parameter.in !== "path"),
    requestBody: {
      ...generic.requestBody,
      content: {
        "application/json": {
          schema: {
            ...body,
            properties: { ...(body.properties as JsonObject), input: namedRef(nameOf(action, "input")) },
            ...(currentSchema(action.inputSchema).required.length > 0 ? { required: ["input"] } : {}),
          },
          examples: {},
        },
      },
    },
    responses: {
      ...generic.responses,
      "202": {
        ...success,
        content: { "application/json": { schema: namedRef(nameOf(action, "run")), examples: {} } },
      },
    },
  };
}
