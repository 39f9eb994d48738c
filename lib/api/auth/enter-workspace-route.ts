import { z } from "zod";
import { parseJsonBody, readBody } from "#lib/api/admission/read-body";
import { requireSameOrigin } from "#lib/api/admission/require-same-origin";
import { webErrorResponse, webResponse } from "#lib/api/admission/web-response";
import { requireSession } from "#lib/api/auth/session";
import { ApiError } from "#lib/contract/error/api-error";
import { WORKSPACE_COOKIE } from "#lib/contract/workspace/workspace";
import { env } from "#lib/platform/config/env";
import { uuidv7 } from "#lib/support/ids";

const YEAR_SECONDS = 31_536_000;
const bodySchema = z.strictObject({ workspace_id: z.uuid() });

/**
 * Serves `POST /api/workspace {workspace_id}`, which selects the workspace in which pages open in this browser. It is
 * not an operation, because its answer is a cookie. 401 for a workspace the user does not belong to, 403 for one that
 * requires two-step verification of them.
 */
export async function postEnterWorkspace(request: Request): Promise<Response> {
  const requestId = uuidv7();
  try {
    requireSameOrigin(request);
    const parsed = bodySchema.safeParse(parseJsonBody(await readBody(request)));
    if (!parsed.success) throw new ApiError("BAD_REQUEST", "workspace_id: must be the id of a workspace");
    const { workspaceId } = await requireSession(request.headers, { shownWorkspaceId: parsed.data.workspace_id });
    const response = webResponse({ workspace_id: workspaceId }, requestId);
    response.headers.set("set-cookie", workspaceCookie(workspaceId));
    return response;
  } catch (error) {
    return webErrorResponse(error, requestId);
  }
}

/** Returns the cookie with the workspace in which pages open. The user must belong to it. */
export function workspaceCookie(workspaceId: string): string {
  const secure = env().PUBLIC_BASE_URL.startsWith("https:") ? "; Secure" : "";
  return `${WORKSPACE_COOKIE}=${workspaceId}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
