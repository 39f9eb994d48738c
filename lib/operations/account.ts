import { z } from "zod";
import { actorOf } from "#lib/operations/actor-of";
import { defineOperation } from "#lib/operations/define-operation";
import { changePassword } from "#lib/workspaces/change-password";
import { signOutEverywhere } from "#lib/workspaces/sign-out-everywhere";
import { passwordSchema, personNameSchema } from "#lib/workspaces/sign-up";
import { updateAccount } from "#lib/workspaces/update-account";

/** One's own account, which belongs to no workspace: every role may ask. */
export const updateAccountOperation = defineOperation({
  name: "update_account",
  title: "Update account",
  description: "Changes one's own name.",
  scope: "web",
  role: "viewer",
  input: z.object({ name: personNameSchema }),
  run: (caller, { name }) => updateAccount({ userId: caller.userId, actor: actorOf(caller), name }),
});

export const changePasswordOperation = defineOperation({
  name: "change_password",
  title: "Change password",
  description: "Gives the person another password and ends all their sessions.",
  scope: "web",
  role: "viewer",
  input: z.object({ current_password: z.string().max(1_000), new_password: passwordSchema }),
  run: async (caller, { current_password: currentPassword, new_password: newPassword }) => {
    await changePassword({ userId: caller.userId, actor: actorOf(caller), currentPassword, newPassword });
    return { changed: true as const };
  },
});

export const signOutEverywhereOperation = defineOperation({
  name: "sign_out_everywhere",
  title: "Sign out everywhere",
  description: "Ends all sessions of the person.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  run: async (caller) => {
    await signOutEverywhere(caller.userId, actorOf(caller));
    return { signed_out: true as const };
  },
});
