import { RATE_HEADERS } from "#lib/api/admission/rate-limit-headers";
import { COMMON_ERRORS, describeErrors } from "#lib/api/openapi/openapi-errors";
import { describeHeaders } from "#lib/api/openapi/openapi-headers";
import { BEARER } from "#lib/api/openapi/openapi-operation";
import type { OpenApiOperation } from "#lib/contract/openapi/openapi";

/** The path below the prefix of the runtime API. */
export const DESCRIPTION_PATH = "/openapi.json";

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
    parameters: [],
    responses: {
      "200": {
        description: "OpenAPI 3.1.",
        headers: describeHeaders(["x-request-id"], RATE_HEADERS),
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: { openapi: { type: "string" }, info: { type: "object" }, paths: { type: "object" } },
              required: ["openapi", "info", "paths"],
            },
            examples: {
              example: { summary: "The start of the document", value: { openapi: "3.1.0", info: {}, paths: {} } },
            },
          },
        },
      },
      ...describeErrors(COMMON_ERRORS),
    },
  };
}
