import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { defineCreation } from "#lib/api/operations/define/define-creation";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { findConnector } from "#lib/connectors/registry";
import type { ValidatedConnector } from "#lib/contract/connector/connector";
import {
  buildConnectorInput,
  type ConnectorSource,
  validateConnectorInput,
} from "#lib/contract/connector/connector-inputs";
import { buildSchema, validatedConnectorSchema } from "#lib/contract/connector/connector-schema";
import { ApiError } from "#lib/contract/error/api-error";
import type { BuildInput } from "#lib/domain/custom-connectors/build-source";
import { createBuild } from "#lib/domain/custom-connectors/create-build";
import { getBuild } from "#lib/domain/custom-connectors/get-build";
import { validateBuild } from "#lib/domain/custom-connectors/validate-build";

/**
 * Checks a source and returns it as a build takes it.
 * @throws ApiError BAD_REQUEST
 */
function toBuildInput(input: ConnectorSource): BuildInput {
  const { slug, name, base_url, auth = "none", openapi, openapi_gzip, openapi_url, operations, select } = input;
  if ([openapi, openapi_gzip, openapi_url, operations].filter((source) => source !== undefined).length !== 1) {
    throw new ApiError("BAD_REQUEST", "openapi: send exactly one of openapi, openapi_gzip, openapi_url and operations");
  }
  if (findConnector(slug)) throw new ApiError("BAD_REQUEST", `slug: ${slug} is a built-in connector; choose another`);
  const { search, hash, username, password } = new URL(base_url ?? "https://unknown.invalid");
  if (search + hash + username + password !== "") {
    throw new ApiError("BAD_REQUEST", "base_url: must not contain a query, a fragment or credentials");
  }
  const document = { openapi, openapiGzip: openapi_gzip, openapiUrl: openapi_url, operations, select };
  return { slug, name, baseUrl: base_url ?? null, auth, ...document };
}

/**
 * Returns the base URL of a build: the given one, or the server that the document names.
 * @throws ApiError BAD_REQUEST if there is none
 */
function baseUrlOf({ baseUrl, operations }: BuildInput, checked: ValidatedConnector | null): string {
  const url = baseUrl ?? checked?.suggested.base_url ?? null;
  if (url !== null) return url;
  if (checked?.valid === false) {
    const [error] = checked.errors;
    throw new ApiError("BAD_REQUEST", `openapi: ${error?.message}`, { details: checked.errors });
  }
  const why = operations ? "is required with operations" : "is required, because the document names no complete server";
  throw new ApiError("BAD_REQUEST", `base_url: ${why}. Send a URL such as https://api.example.com/v1.`);
}

export const buildConnectorOperation = defineCreation({
  name: "build_connector",
  title: "Build connector",
  description:
    "Builds a connector for the workspace from an OpenAPI 3.0 to 3.2 or Swagger 2.0 document or from operations that you describe. A " +
    "larger document needs select, because a connector has up to 200 operations. Without base_url, the connector calls the server that the document names. The build runs in the background: poll get_build_status until it is ready, then connector nodes can call its operations.",
  scope: "connectors:write",
  role: "editor",
  mcp: { readOnly: false, destructive: true, openWorld: true },
  input: buildConnectorInput,
  output: buildSchema.pick({ build_id: true, connector: true }).extend({ status: z.literal("queued") }),
  run: async (caller, given, _context, keep) => {
    const { workspaceId, userId } = caller;
    const input = toBuildInput(given);
    // A name that the document does not have is refused now, not by the build.
    const isChecked = input.select !== undefined || input.baseUrl === null;
    const checked = isChecked ? await validateBuild(workspaceId, input) : null;
    const baseUrl = baseUrlOf(input, checked);
    return createBuild({ workspaceId, userId, actor: actorOf(caller), input: { ...input, baseUrl }, keep });
  },
});

export const validateConnectorOperation = defineOperation({
  name: "validate_connector",
  title: "Validate connector",
  description:
    "Checks what build_connector would build from the same input, what it cannot use and what it would change. Stores " +
    "nothing. You can leave out slug, name and base_url; the response suggests values from the document.",
  scope: "connectors:write",
  role: "editor",
  mcp: { readOnly: true, openWorld: true },
  input: validateConnectorInput,
  output: validatedConnectorSchema,
  run: ({ workspaceId }, { slug = "", name = "Connector", ...input }) =>
    validateBuild(workspaceId, { ...toBuildInput({ slug, name, ...input }), list: input.list_operations }),
});

export const getBuildStatusOperation = defineOperation({
  name: "get_build_status",
  title: "Get build status",
  description:
    "Returns the status of a build_connector build (queued, building, ready or failed), its errors and what it left out.",
  scope: "connectors:read",
  role: "viewer",
  mcp: { readOnly: true },
  input: z.object({ build_id: z.string().max(100).describe("build_id from build_connector.") }),
  output: buildSchema,
  run: (caller, { build_id }) => getBuild(caller.workspaceId, build_id),
});
