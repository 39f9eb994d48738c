import { ssoPath } from "#lib/contract/account/sso-path";
import { ApiError } from "#lib/contract/error/api-error";
import { env } from "#lib/platform/config/env";

/** Returns the refusal of a session that did not start from the provider that a workspace requires. */
export function ssoRequired(workspaceId: string, workspaceName: string): ApiError {
  const url = env().PUBLIC_BASE_URL + ssoPath({ workspaceId });
  const message = `${workspaceName} requires single sign-on. Sign in at ${url}, then try again.`;
  return new ApiError("sso_required", message, { details: { workspace_id: workspaceId } });
}
