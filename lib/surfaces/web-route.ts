import { ApiError } from "#lib/contract/api-error";
import { invoke } from "#lib/operations/define-operation";
import { OPERATIONS } from "#lib/operations/registry";
import { uuidv7 } from "#lib/support/ids";
import { parseBody, readBody } from "#lib/surfaces/read-body";
import { requireSameOrigin } from "#lib/surfaces/require-same-origin";
import { requireSession } from "#lib/surfaces/session";
import { webErrorResponse, webResponse } from "#lib/surfaces/web-response";

interface WebContext {
  params: Promise<{ operation: string }>;
}

/** `POST /api/web/:operation`: any operation of the registry, asked by a signed-in person in the browser. */
export async function webRoute(request: Request, context: WebContext): Promise<Response> {
  const requestId = uuidv7();
  try {
    requireSameOrigin(request);
    const caller = await requireSession(request.headers);
    const { operation: name } = await context.params;
    const operation = OPERATIONS.find((candidate) => candidate.name === name);
    if (!operation) throw new ApiError("NOT_FOUND", "There is no such operation.");
    const body = parseBody(await readBody(request));
    return webResponse(await invoke(operation, caller, body, { requestId }), requestId);
  } catch (error) {
    return webErrorResponse(error, requestId);
  }
}

/** Every other method: an operation is asked for by POST, also when it only reads. */
export async function webMethodNotAllowed(): Promise<Response> {
  const response = webErrorResponse(new ApiError("METHOD_NOT_ALLOWED", "Use POST."), uuidv7());
  response.headers.set("allow", "POST");
  return response;
}
