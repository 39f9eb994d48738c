import { RATE_HEADERS } from "#lib/api/admission/admit";
import { COMMON_ERRORS, describeErrors } from "#lib/api/openapi/openapi-errors";
import { describeHeaders, describeRequestHeaders } from "#lib/api/openapi/openapi-headers";
import { BEARER } from "#lib/api/openapi/openapi-operation";
import type { OpenApiOperation } from "#lib/contract/openapi/openapi";

/** The path below the prefix of the runtime API. */
export const DESCRIPTION_PATH = "/openapi.json";

const ANY = { type: "object", additionalProperties: {} };
const HEADERS = describeHeaders(["x-request-id", "etag"], RATE_HEADERS);

/** Describes the document itself: the only path that answers without a key. */
export function describeDescription(): OpenApiOperation {
  return {
    operationId: "get_api_description",
    summary: "Get this document",
    description:
      "Returns this OpenAPI document. With a key that has actions:read, it also contains a path for each " +
      "action the key may see, with the action's own schemas.",
    tags: ["Description"],
    security: [{}, { [BEARER]: [] }],
    parameters: describeRequestHeaders(["if-none-match"]),
    responses: {
      "200": {
        description: "OpenAPI 3.1.",
        headers: HEADERS,
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: { openapi: { type: "string" }, info: ANY, paths: ANY },
              required: ["openapi", "info", "paths"],
            },
            examples: {
              example: { summary: "The start of the document", value: { openapi: "3.1.0", info: {}, paths: {} } },
            },
          },
        },
      },
      "304": { description: "The document is the one whose ETag you sent.", headers: HEADERS },
      ...describeErrors(COMMON_ERRORS),
    },
  };
}
