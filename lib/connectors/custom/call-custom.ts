import { assertOperationParams } from "#lib/connectors/custom/check-operation-params";
import type { CustomDefinition, CustomOperation } from "#lib/connectors/custom/custom-definition";
import { type BuiltRequest, buildOperationRequest } from "#lib/connectors/custom/wire/build-request";
import { baseHeaders, ownHeaders } from "#lib/connectors/http/build-request";
import { exchange } from "#lib/connectors/http/send-http-request";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { StepError } from "#lib/contract/run/step-error";
import type { ConnectorOperation } from "#lib/core/engine/ports";

const IDEMPOTENT: ReadonlySet<string> = new Set(["get", "head", "options", "put", "delete"]);

/**
 * Defines an operation of a custom connector as steps call it: params that fit the operation become an HTTP request. Its
 * credentials are a connection of `http`, whose hosts a person confirmed, so rebuilding the connector with another base_url
 * does not send the credentials there.
 */
export function customOperation(definition: CustomDefinition, operation: CustomOperation): ConnectorOperation {
  return {
    connectionOf: "http",
    isIdempotent: () => IDEMPOTENT.has(operation.method),
    call: async (params, context) => {
      if (!context.connection && definition.auth !== "none") {
        const what = definition.auth.startsWith("oauth2") ? "OAuth 2.0" : definition.auth;
        const message = `connection_id: is required. This connector needs a connection of the HTTP API connector (${what})`;
        throw new StepError("VALIDATION_ERROR", message);
      }
      const { headers, ...request } = toRequest(definition.baseUrl, operation, params, context.idempotencyKey);
      const sent = { ...baseHeaders(context), ...ownHeaders(headers, "header") };
      return exchange({ ...request, headers: sent }, context, { readError: errorWords });
    },
  };
}

/**
 * Builds the request of an operation.
 * @param seed the same for every attempt of a step
 * @throws StepError VALIDATION_ERROR naming the parameter
 */
export function toRequest(baseUrl: string, operation: CustomOperation, params: unknown, seed: string): BuiltRequest {
  assertOperationParams(operation, params);
  return buildOperationRequest(baseUrl, operation, params, seed);
}
