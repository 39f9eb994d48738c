import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { sessionOf } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import { SIGN_IN_PROVIDERS } from "#lib/contract/account/account";
import { sessionRowSchema, signInMethodsSchema } from "#lib/contract/account/account-schema";
import { changePasswordInput, updateAccountInput } from "#lib/contract/account/person-inputs";
import { countSchema, wireListOf, wirePageOf } from "#lib/contract/wire/wire-values";
import { auditEventSchema } from "#lib/contract/workspace/workspace-schema";
import { changePassword } from "#lib/domain/accounts/change-password";
import { endSessions } from "#lib/domain/accounts/end-sessions";
import { getSignInMethods } from "#lib/domain/accounts/get-sign-in-methods";
import { listSessions } from "#lib/domain/accounts/list-sessions";
import { listSignInServices } from "#lib/domain/accounts/list-sign-in-services";
import { removeIdentity } from "#lib/domain/accounts/remove-identity";
import { signOutEverywhere } from "#lib/domain/accounts/sign-out-everywhere";
import { updateAccount } from "#lib/domain/accounts/update-account";
import { listAccountActivity } from "#lib/domain/audit/list-account-activity";

/** The caller's own account. It belongs to no workspace, so every role has access. */
export const updateAccountOperation = defineOperation({
  name: "update_account",
  title: "Update account",
  description: "Changes your name.",
  scope: "web",
  role: "viewer",
  isAboutAccount: true,
  input: updateAccountInput,
  output: z.object({ user_id: z.uuid(), name: z.string(), email: z.string() }),
  run: (caller, { name }) => updateAccount({ userId: caller.userId, actor: actorOf(caller), name }),
});

export const changePasswordOperation = defineOperation({
  name: "change_password",
  title: "Change password",
  description: "Sets a new password and ends all sessions of the user.",
  scope: "web",
  role: "viewer",
  isAboutAccount: true,
  input: changePasswordInput,
  output: z.object({ changed: z.literal(true) }),
  run: async (caller, { current_password: given, new_password: newPassword }) => {
    const request = { userId: caller.userId, actor: actorOf(caller), sessionId: sessionOf(caller) };
    await changePassword({ ...request, currentPassword: given ?? null, newPassword });
    return { changed: true as const };
  },
});

export const signOutEverywhereOperation = defineOperation({
  name: "sign_out_everywhere",
  title: "Sign out everywhere",
  description: "Ends all sessions of the user.",
  scope: "web",
  role: "viewer",
  isAboutAccount: true,
  input: z.object({}),
  output: z.object({ signed_out: z.literal(true) }),
  run: async (caller) => {
    await signOutEverywhere(caller.userId, actorOf(caller));
    return { signed_out: true as const };
  },
});

export const getSignInMethodsOperation = defineOperation({
  name: "get_sign_in_methods",
  title: "Get sign-in methods",
  description: "Returns how the user signs in: with a password or with accounts of other services.",
  scope: "web",
  role: "viewer",
  isAboutAccount: true,
  input: z.object({}),
  output: signInMethodsSchema,
  run: async (caller) => ({ ...(await getSignInMethods(caller.userId)), services: listSignInServices() }),
});

export const removeIdentityOperation = defineOperation({
  name: "remove_identity",
  title: "Disconnect an account",
  description: "Disconnects an account of another service, so that it can no longer sign the user in.",
  scope: "web",
  role: "viewer",
  isAboutAccount: true,
  input: z.object({ provider: z.enum(SIGN_IN_PROVIDERS), subject: z.string().min(1).max(1_000) }),
  output: z.object({ removed: z.literal(true) }),
  run: async (caller, { provider, subject }) => {
    const request = { userId: caller.userId, actor: actorOf(caller), sessionId: sessionOf(caller) };
    await removeIdentity({ ...request, provider, subject });
    return { removed: true as const };
  },
});

export const listSessionsOperation = defineOperation({
  name: "list_sessions",
  title: "List sessions",
  description: "Lists the browsers in which the user is signed in.",
  scope: "web",
  role: "viewer",
  isAboutAccount: true,
  input: z.object({}),
  output: wireListOf(sessionRowSchema),
  run: async (caller) => ({ data: await listSessions(caller.userId, sessionOf(caller)) }),
});

export const listAccountActivityOperation = defineOperation({
  name: "list_account_activity",
  title: "List account activity",
  description: "Lists the user's own sign-ins and security changes, newest first.",
  scope: "web",
  role: "viewer",
  isAboutAccount: true,
  input: z.object(pageInput),
  output: wirePageOf(auditEventSchema),
  run: (caller, input) => listAccountActivity(caller.userId, input),
});

export const endSessionsOperation = defineOperation({
  name: "end_sessions",
  title: "End sessions",
  description: "Signs the user out of one session, or of all sessions except this one.",
  scope: "web",
  role: "viewer",
  isAboutAccount: true,
  input: z.object({ session_id: z.uuid().optional() }),
  output: z.object({ ended: countSchema }),
  run: async (caller, { session_id: sessionId }) => {
    const request = { userId: caller.userId, actor: actorOf(caller), currentId: sessionOf(caller) };
    return { ended: await endSessions({ ...request, ...(sessionId === undefined ? {} : { sessionId }) }) };
  },
});
