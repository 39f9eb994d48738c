import { z } from "zod";
import { takeSignInRequest } from "#lib/api/admission/limit-source";
import { parseJsonBody, readBody } from "#lib/api/admission/read-body";
import { requireSameOrigin } from "#lib/api/admission/require-same-origin";
import { webErrorResponse, webResponse } from "#lib/api/admission/web-response";
import { openTicket } from "#lib/api/auth/sign-in-ticket";
import type { SignInChallenge } from "#lib/contract/account/account";
import { ApiError } from "#lib/contract/error/api-error";
import { getTwoStep } from "#lib/domain/accounts/two-step/get-two-step";
import { createPasskeyChallenge } from "#lib/domain/accounts/two-step/passkey-challenge";
import { uuidv7 } from "#lib/support/ids";

const bodySchema = z.strictObject({ ticket: z.string().min(1).max(8_000).optional() });

/**
 * Serves `POST /api/sign-in-challenge {ticket?}`: `{has_authenticator, passkey}`, from which the page chooses its form.
 * With the ticket of a first step it names that person's factors; without, any passkey signs in. Writes nothing.
 */
export async function postSignInChallenge(request: Request): Promise<Response> {
  const requestId = uuidv7();
  try {
    requireSameOrigin(request);
    takeSignInRequest(request.headers);
    const parsed = bodySchema.safeParse(parseJsonBody(await readBody(request)));
    if (!parsed.success) throw new ApiError("BAD_REQUEST", "ticket: must be the ticket of a sign-in");
    const { ticket } = parsed.data;
    return webResponse(await (ticket === undefined ? anyPasskey() : factorsOf(ticket)), requestId);
  } catch (error) {
    return webErrorResponse(error, requestId);
  }
}

async function anyPasskey(): Promise<SignInChallenge> {
  return { has_authenticator: false, passkey: await createPasskeyChallenge("sign_in", null) };
}

async function factorsOf(token: string): Promise<SignInChallenge> {
  const ticket = openTicket(token);
  if (!ticket) throw new ApiError("BAD_REQUEST", "This sign-in has expired. Start again.");
  const userId = ticket.data.user_id;
  const { has_authenticator, passkeys } = await getTwoStep(userId);
  const passkey = passkeys.length === 0 ? null : await createPasskeyChallenge("second_factor", userId);
  return { has_authenticator, passkey };
}
