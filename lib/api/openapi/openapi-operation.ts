import { RATE_HEADERS } from "#lib/api/admission/admit";
import { describeErrors, errorCodesOf } from "#lib/api/openapi/openapi-errors";
import { exampleOf } from "#lib/api/openapi/openapi-examples";
import { type AnswerHeader, describeHeaders, describeRequestHeaders } from "#lib/api/openapi/openapi-headers";
import { inputProperties, schemaRef } from "#lib/api/openapi/openapi-schemas";
import type { Operation, RestBinding } from "#lib/api/operations/define/define-operation";
import type { OpenApiOperation, OpenApiParameter, OpenApiResponse } from "#lib/contract/openapi/openapi";
import { runSchema } from "#lib/contract/run/run-schema";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The name of the security scheme: only `Authorization: Bearer <API_KEY>`. */
export const BEARER = "bearer";

/** Converts `/runs/:run_id` to OpenAPI's form of a path. */
export function openApiPath(path: string): string {
  return path.replace(/:([a-z_]+)/g, "{$1}");
}

/** Describes an operation of the registry that has a path. */
export function describeOperation(operation: Operation, rest: RestBinding): OpenApiOperation {
  const { name, title, description, scope, input } = operation;
  const { properties, required } = inputProperties(input);
  const inPath = [...rest.path.matchAll(/:([a-z_]+)/g)].map(([, parameter = ""]) => parameter);
  const others = Object.keys(properties).filter((property) => !inPath.includes(property));
  const given = (names: string[]) =>
    Object.fromEntries(names.map((property) => [property, properties[property] ?? {}]));
  const hasBody = rest.method === "POST" && others.length > 0;
  return {
    operationId: name,
    summary: title,
    description,
    tags: [rest.answers.tag],
    security: [{ [BEARER]: typeof scope === "string" ? [scope] : [...scope] }],
    parameters: [
      ...describeParameters("path", given(inPath), inPath),
      ...(rest.method === "GET" ? describeParameters("query", given(others), required) : []),
      ...describeRequestHeaders([
        ...(rest.answers.headers ?? []),
        ...(rest.method === "GET" ? (["if-none-match"] as const) : []),
        "x-correlation-id",
      ]),
    ],
    ...(hasBody ? { requestBody: describeBody(name, given(others), required) } : {}),
    responses: { ...describeSuccesses(operation, rest), ...describeErrors(errorCodesOf(rest)) },
  };
}

function describeParameters(
  place: "path" | "query",
  properties: Record<string, JsonObject>,
  required: readonly string[],
): OpenApiParameter[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description: String(description ?? ""),
    schema,
  }));
}

function describeBody(name: string, properties: Record<string, JsonObject>, required: readonly string[]) {
  const wanted = Object.keys(properties).filter((property) => required.includes(property));
  return {
    description:
      "JSON in UTF-8, whatever the content-type is. A missing body is an empty object. Unknown fields are ignored.",
    required: false,
    content: {
      "application/json": {
        schema: { type: "object", properties, ...(wanted.length > 0 ? { required: wanted } : {}) },
        examples: { example: { summary: "A request", value: exampleOf(name).body } },
      },
    },
  };
}

function describeSuccesses(
  { name, output }: Operation,
  { answers, method }: RestBinding,
): Record<string, OpenApiResponse> {
  const always: AnswerHeader[] = ["x-request-id", ...RATE_HEADERS];
  const sometimes: AnswerHeader[] = [];
  if (method === "GET") always.push("etag");
  (output === runSchema ? always : sometimes).push("x-correlation-id");
  if (answers.headers?.includes("idempotency-key")) sometimes.push("idempotent-replayed");
  if (answers.headers?.includes("prefer")) sometimes.push("preference-applied");
  const headers = describeHeaders(always, sometimes);
  const successes = Object.fromEntries(
    Object.entries(answers.successes).map(([status, description]) => [
      status,
      {
        description,
        headers,
        content: {
          "application/json": {
            schema: schemaRef(output),
            examples: { example: { summary: "An answer", value: exampleOf(name).answer } },
          },
        },
      },
    ]),
  );
  if (method !== "GET") return successes;
  return { ...successes, 304: { description: "Nothing has changed since the ETag that you sent.", headers } };
}
