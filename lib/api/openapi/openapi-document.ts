import { describeActions } from "#lib/api/openapi/openapi-actions";
import { ANSWER_HEADERS } from "#lib/api/openapi/openapi-headers";
import { BEARER, describeOperation, openApiPath } from "#lib/api/openapi/openapi-operation";
import { namedSchemas, usedSchemas } from "#lib/api/openapi/openapi-schemas";
import { DESCRIPTION_PATH, describeDescription } from "#lib/api/openapi/openapi-self";
import { RUNTIME_OPERATIONS } from "#lib/api/operations/runtime-operations";
import { RUNTIME_PREFIX } from "#lib/api/rest/rest-route";
import type { ActionObject } from "#lib/contract/action/action";
import { LIMITS } from "#lib/contract/limits";
import type { OpenApiDocument, OpenApiPath } from "#lib/contract/openapi/openapi";
import { SERVER_INFO } from "#lib/contract/wire/server-info";
import { PLAN_LIMITS } from "#lib/contract/workspace/plans";

const INTRODUCTION = `Call the published actions of a workspace and watch their runs.

A call creates a run and returns 202 immediately. Read the result with \`GET /runs/{run_id}\`. Send \`Prefer: wait=25\` with that request to hold its response for up to 25 seconds, until the run ends or waits for approval.

**Errors** are \`{ error, code, reason, details? }\` on every status: \`error\` is for people, \`code\` and the more specific \`reason\` are for programs. A method that a path does not support gets a 405 \`METHOD_NOT_ALLOWED\`. An unknown path under the prefix gets a 404 \`NOT_FOUND\`.

**Order of checks:** size, key, rate limit, scope, path, body, run limits.

**Limits:** ${Object.entries(PLAN_LIMITS)
  .map(([plan, { requestsPerWindow }]) => `${plan} ${requestsPerWindow}`)
  .join(
    ", ",
  )} requests per key in a sliding window of ${LIMITS.rateWindowSeconds} seconds, REST and MCP together; ${LIMITS.runsPerUserPerHour} runs per user in a sliding hour. Every authenticated response reports the window in \`x-ratelimit-*\` headers. A 429 response has the number of seconds to wait in \`retry-after\`.`;

const TAGS = [
  { name: "Actions", description: "Published workflows: find them, read their schemas, run them." },
  { name: "Runs", description: "Runs: read them, wait for them, decide on them, cancel them." },
  { name: "Description", description: "This document." },
];

/**
 * Returns the runtime API in OpenAPI 3.1, derived from its operations and the schemas of the contract.
 * @param baseUrl {base_url} of the contract, without a trailing slash
 * @param actions actions of one workspace: each gets a path with its own schemas
 */
export function describeApi(baseUrl: string, actions: readonly ActionObject[] = []): OpenApiDocument {
  const own = describeActions(actions);
  const paths: Record<string, OpenApiPath> = {};
  for (const operation of RUNTIME_OPERATIONS) {
    const { rest } = operation;
    if (!rest) continue;
    const method = rest.method === "GET" ? "get" : "post";
    const path = openApiPath(rest.path);
    paths[path] = { ...paths[path], [method]: describeOperation(operation, rest) };
  }
  Object.assign(paths, own.paths, { [DESCRIPTION_PATH]: { get: describeDescription() } });
  return {
    openapi: "3.1.0",
    info: {
      title: `${SERVER_INFO.title} runtime API`,
      version: SERVER_INFO.version,
      summary: "Call published actions and watch their runs.",
      description: INTRODUCTION,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: `${baseUrl}${RUNTIME_PREFIX}`, description: "This instance" }],
    security: [{ [BEARER]: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        [BEARER]: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "svc_ and 32 characters",
          description:
            "An API key of the workspace, created in the web application. Each operation names the scope it needs.",
        },
      },
      headers: usedHeaders(paths),
      schemas: usedSchemas(paths, { ...namedSchemas(), ...own.schemas }),
    },
  };
}

/**
 * Returns the headers that paths refer to: those that every answer of a kind has. Optional headers are written out in
 * place.
 */
function usedHeaders(paths: OpenApiDocument["paths"]): OpenApiDocument["components"]["headers"] {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}
