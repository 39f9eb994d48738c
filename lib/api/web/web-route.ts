import { parseJsonBody, readBody } from "#lib/api/admission/read-body";
import { requireSameOrigin } from "#lib/api/admission/require-same-origin";
import { webErrorResponse, webResponse } from "#lib/api/admission/web-response";
import { requireSession } from "#lib/api/auth/session";
import { invoke } from "#lib/api/operations/define/define-operation";
import { findUnknownFields } from "#lib/api/operations/define/find-unknown-fields";
import { OPERATIONS } from "#lib/api/operations/registry";
import { ApiError } from "#lib/contract/error/api-error";
import { uuidv7 } from "#lib/support/ids";

interface WebContext {
  params: Promise<{ operation: string }>;
}

/** Serves `POST /api/web/:operation`: any operation of the registry, called by a signed-in user in the browser. */
export async function webRoute(request: Request, context: WebContext): Promise<Response> {
  const requestId = uuidv7();
  try {
    requireSameOrigin(request);
    const { operation: name } = await context.params;
    const operation = OPERATIONS.find((candidate) => candidate.name === name);
    const { isAboutAccount = false, isWayBack = false } = operation ?? {};
    const caller = await requireSession(request.headers, { isAboutAccount, isWayBack });
    if (!operation) throw new ApiError("NOT_FOUND", "There is no such operation.");
    const body = parseJsonBody(await readBody(request));
    return webResponse(await invoke(operation, caller, body, { requestId, findUnknownFields }), requestId);
  } catch (error) {
    return webErrorResponse(error, requestId);
  }
}

/** Answers every other method: an operation is called with POST, even if it only reads. */
export async function webMethodNotAllowed(): Promise<Response> {
  const response = webErrorResponse(new ApiError("METHOD_NOT_ALLOWED", "Use POST."), uuidv7());
  response.headers.set("allow", "POST");
  return response;
}
