import type { z } from "zod";
import { clientSource } from "#lib/api/admission/client-address";
import { takeSignInRequest } from "#lib/api/admission/limit-source";
import { parseJsonBody, readBody } from "#lib/api/admission/read-body";
import { requireSameOrigin } from "#lib/api/admission/require-same-origin";
import { webErrorResponse, webResponse } from "#lib/api/admission/web-response";
import { requestPasswordResetInput, resetPasswordInput } from "#lib/contract/account/person-inputs";
import { ApiError, toFieldErrors } from "#lib/contract/error/api-error";
import { requireAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { redeemResetLink } from "#lib/domain/accounts/password-reset/redeem-reset-link";
import { requestPasswordReset } from "#lib/domain/accounts/password-reset/request-password-reset";
import { env } from "#lib/platform/config/env";
import { uuidv7 } from "#lib/support/ids";

/** Serves `POST /api/password-reset` `{email}`: 202 `{}`, whether or not the address has an account. */
export async function postPasswordReset(request: Request): Promise<Response> {
  return answer(request, 202, requestPasswordResetInput, async ({ email }) => {
    if (env().SMTP_URL === undefined) throw new ApiError("FORBIDDEN", "This instance has no mail server.");
    await requireAttempt("password_reset", clientSource(request.headers));
    await requestPasswordReset(email);
  });
}

/** Serves `POST /api/password-reset/redeem` `{token, new_password}`: 200 `{}`. The user signs in afterwards. */
export async function postRedeemedReset(request: Request): Promise<Response> {
  return answer(request, 200, resetPasswordInput, ({ token, new_password: password }) =>
    redeemResetLink(token, password),
  );
}

async function answer<Schema extends z.ZodType>(
  request: Request,
  status: number,
  schema: Schema,
  work: (input: z.output<Schema>) => Promise<void>,
): Promise<Response> {
  const requestId = uuidv7();
  try {
    requireSameOrigin(request);
    takeSignInRequest(request.headers);
    const parsed = schema.safeParse(parseJsonBody(await readBody(request)));
    if (!parsed.success) {
      const details = toFieldErrors(parsed.error);
      throw new ApiError("BAD_REQUEST", `${details[0]?.field}: ${details[0]?.message}`, { details });
    }
    await work(parsed.data);
    return webResponse({}, requestId, status);
  } catch (error) {
    return webErrorResponse(error, requestId);
  }
}
