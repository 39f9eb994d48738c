import type { ApiErrorBody } from "#lib/contract/error/api-error";
import { WORKSPACE_HEADER } from "#lib/contract/workspace/workspace";
import { ClientError } from "@/components/api/client-error";
import { shownWorkspaceId } from "@/components/api/shown-workspace";

/**
 * The only fetch in the browser: session cookie, JSON in, JSON out, nothing cached. `path` is on this server.
 * @throws ClientError with the server's code and message, or NETWORK if no answer came
 */
export async function postJson(path: string, input: unknown, signal: AbortSignal | null = null): Promise<unknown> {
  const workspaceId = shownWorkspaceId();
  let response: Response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(workspaceId === null ? {} : { [WORKSPACE_HEADER]: workspaceId }),
      },
      credentials: "same-origin",
      cache: "no-store",
      body: JSON.stringify(input),
      signal,
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ClientError("NETWORK", "The server didn't answer. Check your connection and try again.", {
      status: 0,
      cause,
    });
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  throw toClientError(response, body);
}

function toClientError(response: Response, body: unknown): ClientError {
  const requestId = response.headers.get("x-request-id");
  if (isErrorBody(body)) {
    const { code, reason, error, details } = body;
    return new ClientError(code, error, { status: response.status, reason, details, requestId });
  }
  return new ClientError("INTERNAL_ERROR", `The server returned status ${response.status} without an error message.`, {
    status: response.status,
    requestId,
  });
}

function isErrorBody(body: unknown): body is ApiErrorBody {
  return typeof body === "object" && body !== null && "error" in body && "code" in body;
}
