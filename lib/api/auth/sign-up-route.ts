import { clientSource } from "#lib/api/admission/client-address";
import { takeSignInRequest } from "#lib/api/admission/limit-source";
import { parseJsonBody, readBody } from "#lib/api/admission/read-body";
import { requireSameOrigin } from "#lib/api/admission/require-same-origin";
import { webErrorResponse, webResponse } from "#lib/api/admission/web-response";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { ApiError, toFieldErrors } from "#lib/contract/error/api-error";
import { takeSignInAttempt, tooManyAttempts } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { findSignUpMode } from "#lib/domain/accounts/find-sign-up-mode";
import { signUp } from "#lib/domain/accounts/sign-up";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

/** Serves `POST /api/sign-up`: 201 `{user_id, workspace_id}`. The client signs in with the next request. */
export async function postSignUp(request: Request): Promise<Response> {
  const requestId = uuidv7();
  try {
    requireSameOrigin(request);
    takeSignInRequest(request.headers);
    const parsed = signUpInput.safeParse(parseJsonBody(await readBody(request)));
    if (!parsed.success) {
      const details = toFieldErrors(parsed.error);
      throw new ApiError("BAD_REQUEST", `${details[0]?.field}: ${details[0]?.message}`, { details });
    }
    const waitSeconds = await takeSignInAttempt(db(), "sign_up", clientSource(request.headers));
    if (waitSeconds > 0) {
      throw tooManyAttempts(waitSeconds);
    }
    const { userId, workspaceId } = await signUp(parsed.data);
    const actor = { type: "user" as const, id: userId, name: parsed.data.name };
    const entry = { action: "user.signed_up" as const, objectType: "user", objectId: userId };
    await recordAudit(db(), { ...entry, workspaceId, actor });
    return webResponse({ user_id: userId, workspace_id: workspaceId }, requestId, 201);
  } catch (error) {
    return webErrorResponse(error, requestId);
  }
}

/**
 * Serves `GET /api/sign-up?invite=`: `{mode, email, workspace_name, has_account}`, from which the page chooses its
 * form.
 */
export async function getSignUp(request: Request): Promise<Response> {
  const requestId = uuidv7();
  try {
    const found = await findSignUpMode(new URL(request.url).searchParams.get("invite"));
    const { mode, email, workspaceName, hasAccount } = found;
    return webResponse({ mode, email, workspace_name: workspaceName, has_account: hasAccount }, requestId);
  } catch (error) {
    return webErrorResponse(error, requestId);
  }
}
