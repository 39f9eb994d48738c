import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { type Caller, sessionOf } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { personNameSchema } from "#lib/contract/account/person-inputs";
import {
  codeSchema,
  newFactorSchema,
  passkeyRegistrationSchema,
  passkeyRequestSchema,
  secondFactorSchema,
  twoStepSchema,
} from "#lib/contract/account/two-step-schema";
import { getSignInMethods } from "#lib/domain/accounts/get-sign-in-methods";
import { addPasskey } from "#lib/domain/accounts/two-step/add-passkey";
import { beginPasskey } from "#lib/domain/accounts/two-step/begin-passkey";
import { beginTotp } from "#lib/domain/accounts/two-step/begin-totp";
import { confirmIdentity } from "#lib/domain/accounts/two-step/confirm-identity";
import { confirmTotp } from "#lib/domain/accounts/two-step/confirm-totp";
import { getTwoStep } from "#lib/domain/accounts/two-step/get-two-step";
import { createPasskeyChallenge } from "#lib/domain/accounts/two-step/passkey-challenge";
import { removeFactor } from "#lib/domain/accounts/two-step/remove-factor";
import { replaceRecoveryCodes } from "#lib/domain/accounts/two-step/replace-recovery-codes";

/** The caller's own account. It belongs to no workspace, so every role has access. */
const own = { scope: "web", role: "viewer", isAboutAccount: true } as const;

const requestOf = (caller: Caller) => ({
  userId: caller.userId,
  actor: actorOf(caller),
  sessionId: sessionOf(caller),
});

const getTwoStepOperation = defineOperation({
  ...own,
  name: "get_two_step",
  title: "Get two-step verification",
  description: "Returns the user's second factors.",
  input: z.object({}),
  output: twoStepSchema,
  run: (caller) => getTwoStep(caller.userId),
});

const beginTotpOperation = defineOperation({
  ...own,
  name: "begin_totp",
  title: "Start setting up an authenticator app",
  description: "Returns the secret for an authenticator app. It counts after confirm_totp.",
  input: z.object({}),
  output: z.object({ secret: z.string(), uri: z.string() }),
  run: (caller) => beginTotp(requestOf(caller)),
});

const confirmTotpOperation = defineOperation({
  ...own,
  name: "confirm_totp",
  title: "Finish setting up an authenticator app",
  description: "Turns the authenticator app on, with a code that it shows.",
  input: z.object({ code: codeSchema }),
  output: newFactorSchema,
  run: async (caller, { code }) => ({ recovery_codes: await confirmTotp({ ...requestOf(caller), code }) }),
});

const beginPasskeyOperation = defineOperation({
  ...own,
  name: "begin_passkey",
  title: "Start adding a passkey",
  description: "Returns the options with which a browser creates a passkey.",
  input: z.object({}),
  output: passkeyRequestSchema,
  run: (caller) => beginPasskey(requestOf(caller)),
});

const addPasskeyOperation = defineOperation({
  ...own,
  name: "add_passkey",
  title: "Add a passkey",
  description: "Adds the passkey that the browser created.",
  input: z.object({
    name: personNameSchema,
    token: z.string().max(4_000),
    response: passkeyRegistrationSchema,
  }),
  output: newFactorSchema,
  run: async (caller, input) => ({ recovery_codes: await addPasskey({ ...requestOf(caller), ...input }) }),
});

const removeFactorOperation = defineOperation({
  ...own,
  name: "remove_factor",
  title: "Remove a second factor",
  description: "Removes a passkey, or the authenticator app.",
  input: z.object({ passkey_id: z.string().max(2_000).optional() }),
  output: z.object({ removed: z.literal(true) }),
  run: async (caller, { passkey_id: passkeyId }) => {
    await removeFactor({ ...requestOf(caller), passkeyId });
    return { removed: true as const };
  },
});

const replaceRecoveryCodesOperation = defineOperation({
  ...own,
  name: "replace_recovery_codes",
  title: "Replace recovery codes",
  description: "Creates new recovery codes. The earlier ones stop working.",
  input: z.object({}),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  run: async (caller) => ({ recovery_codes: await replaceRecoveryCodes(requestOf(caller)) }),
});

const beginConfirmationOperation = defineOperation({
  ...own,
  name: "begin_confirmation",
  title: "Start confirming an identity",
  description: "Returns how the user can confirm who they are.",
  input: z.object({}),
  output: z.object({
    has_password: z.boolean().describe("Whether the password is enough."),
    has_authenticator: z.boolean(),
    passkey: passkeyRequestSchema.nullable(),
  }),
  run: (caller) => beginConfirmation(caller.userId),
});

const confirmIdentityOperation = defineOperation({
  ...own,
  name: "confirm_identity",
  title: "Confirm an identity",
  description: "Proves again who uses this session, before a change of the account's security.",
  input: z.object({ proof: z.union([z.object({ password: z.string().max(1_000) }), secondFactorSchema]) }),
  output: z.object({ confirmed: z.literal(true) }),
  run: async (caller, { proof }) => {
    await confirmIdentity({ userId: caller.userId, sessionId: sessionOf(caller), proof });
    return { confirmed: true as const };
  },
});

export const TWO_STEP_OPERATIONS = [
  getTwoStepOperation,
  beginTotpOperation,
  confirmTotpOperation,
  beginPasskeyOperation,
  addPasskeyOperation,
  removeFactorOperation,
  replaceRecoveryCodesOperation,
  beginConfirmationOperation,
  confirmIdentityOperation,
] as const;

async function beginConfirmation(userId: string) {
  const { is_on, has_authenticator, passkeys } = await getTwoStep(userId);
  const { has_password } = await getSignInMethods(userId);
  const passkey = passkeys.length === 0 ? null : await createPasskeyChallenge("confirm", userId);
  return { has_password: has_password && !is_on, has_authenticator, passkey };
}
