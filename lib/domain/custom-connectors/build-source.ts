import type { BuildSource } from "#lib/connectors/custom/build-definition";
import { type BuildFinding, BuildRefused } from "#lib/connectors/custom/custom-definition";
import {
  BUILD_LIMITS,
  type ConnectorChanges,
  type ConnectorRoute,
  type CustomAuth,
  type DocumentSummary,
  type Selection,
  type ValidatedConnector,
} from "#lib/contract/connector/connector";
import type { DescribedOperation } from "#lib/contract/connector/connector-inputs";
import { StepError } from "#lib/contract/run/step-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { buildInThread } from "#lib/domain/custom-connectors/build-in-thread";

const FETCH_TIMEOUT_MS = 15_000;

/** The input of build_connector. One of openapi, openapiGzip, openapiUrl and operations is set. */
export interface BuildInput {
  slug: string;
  name: string;
  /** Null for the first server of the document. */
  baseUrl: string | null;
  auth: CustomAuth;
  openapi?: unknown;
  /** The text of a document, compressed, as base64. */
  openapiGzip?: string | undefined;
  openapiUrl?: string | undefined;
  operations?: DescribedOperation[] | undefined;
  select?: Selection | undefined;
  /** Whether to list every operation of the document. */
  list?: boolean | undefined;
}

/** The input of a build, as the thread receives it. */
export interface BuildOrder extends Omit<BuildSource, "document"> {
  /** The document as JSON text. */
  documentJson: string | null;
  /** Or the bytes that a server returned: JSON or YAML. */
  documentBytes: Uint8Array | null;
  operations: DescribedOperation[] | null;
  /** The previous CustomDefinition as JSON text. */
  beforeJson: string | null;
}

/** The result of a build. */
export interface BuiltConnector {
  /** A CustomDefinition as it is stored. */
  definitionJson: string;
  routes: ConnectorRoute[];
  findings: BuildFinding[];
  /** Null if the operations were described one by one. */
  document: DocumentSummary | null;
  suggested: ValidatedConnector["suggested"];
  /** Null if there was no previous definition. */
  changes: ConnectorChanges | null;
}

/**
 * Builds a connector from the input and stores nothing. Documents are read and connectors are built in separate
 * threads: a large one takes a tenth of a second and more, during which this process answers other requests.
 * @param openapiJson the document, if it is already JSON text
 * @throws BuildRefused; ApiError if too many documents are waiting
 */
export async function buildFrom(
  workspaceId: string,
  input: BuildInput & { openapiJson?: string | null; beforeJson: string | null },
  send: SendRequest,
): Promise<BuiltConnector> {
  const { name, baseUrl, auth, openapi, openapiGzip, openapiUrl, operations, beforeJson, select = null } = input;
  const given = input.openapiJson ?? (openapi === undefined ? null : JSON.stringify(openapi));
  const documentBytes = openapiUrl
    ? await fetchDocument(openapiUrl, (request) => send({ ...request, workspaceId }))
    : openapiGzip === undefined
      ? null
      : Buffer.from(openapiGzip, "base64");
  return buildInThread(workspaceId, {
    name,
    baseUrl,
    auth,
    beforeJson,
    select,
    list: input.list === true,
    documentUrl: openapiUrl ?? null,
    documentBytes,
    documentJson: documentBytes || operations ? null : given,
    operations: documentBytes ? null : (operations ?? null),
  });
}

/** @throws BuildRefused */
async function fetchDocument(url: string, send: SendRequest): Promise<Uint8Array> {
  const refused = (message: string) => new BuildRefused("/openapi_url", "not_fetched", message);
  const { redirects, documentBytes } = BUILD_LIMITS;
  const headers = { accept: "application/json, application/yaml, text/yaml, */*;q=0.5" };
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  try {
    const limits = { redirectsOnHost: redirects, responseBytes: documentBytes };
    const { status, body } = await send({ method: "GET", url, headers, signal, ...limits });
    if (status >= 300) throw refused(`${new URL(url).host} answered ${status}.`);
    if (body.byteLength > documentBytes) throw refused(`The document is larger than ${documentBytes / 1_048_576} MiB.`);
    return body;
  } catch (error) {
    if (signal.aborted) throw refused(`No answer within ${FETCH_TIMEOUT_MS / 1_000} s.`);
    if (error instanceof StepError) throw refused(error.message);
    throw error;
  }
}
