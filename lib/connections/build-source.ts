import {
  type Built,
  buildDefinition,
  type DescribedOperation,
  documentOf,
} from "#lib/connectors/custom/build-definition";
import { BUILD_LIMITS, BuildRefused, type CustomAuth } from "#lib/connectors/custom/custom-definition";
import { StepError } from "#lib/contract/step-error";
import type { SendRequest } from "#lib/engine/outgoing-request";

const FETCH_TIMEOUT_MS = 15_000;

/** What build_connector was given. One of openapi, openapiUrl and operations is there. */
export interface BuildInput {
  slug: string;
  name: string;
  baseUrl: string;
  auth: CustomAuth;
  openapi?: unknown;
  openapiUrl?: string | undefined;
  operations?: DescribedOperation[] | undefined;
}

/**
 * A connector from what was given; stores nothing.
 * @throws BuildRefused
 */
export async function buildFrom(input: BuildInput, send: SendRequest): Promise<Built> {
  const { name, baseUrl, auth, openapi, openapiUrl, operations } = input;
  const document = openapiUrl
    ? await fetchDocument(openapiUrl, send)
    : operations
      ? documentOf(name, operations)
      : openapi;
  return buildDefinition({ name, baseUrl, auth, document });
}

/** @throws BuildRefused */
async function fetchDocument(url: string, send: SendRequest): Promise<string> {
  const refused = (message: string) => new BuildRefused("/openapi_url", "not_fetched", message);
  const { redirects, documentBytes } = BUILD_LIMITS;
  const headers = { accept: "application/json, application/yaml, text/yaml, */*;q=0.5" };
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  try {
    const { status, body } = await send({ method: "GET", url, headers, signal, redirectsOnHost: redirects });
    if (status >= 300) throw refused(`${new URL(url).host} answered ${status}.`);
    if (body.byteLength > documentBytes) throw refused(`The document is larger than ${documentBytes / 1_048_576} MiB.`);
    return body.toString("utf8");
  } catch (error) {
    if (signal.aborted) throw refused(`No answer within ${FETCH_TIMEOUT_MS / 1_000} s.`);
    if (error instanceof StepError) throw refused(error.message);
    throw error;
  }
}
