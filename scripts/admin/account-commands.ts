import { z } from "zod";
import { emailSchema, passwordSchema, personNameSchema } from "#lib/contract/account/person-inputs";
import { assertStrongPassword } from "#lib/domain/accounts/assert-strong-password";
import { unlockAccount } from "#lib/domain/accounts/attempts/unlock-account";
import { resetPassword } from "#lib/domain/accounts/change-password";
import { createUser } from "#lib/domain/accounts/create-user";
import { getUserByEmail } from "#lib/domain/accounts/get-user-by-email";
import { hashPassword } from "#lib/domain/accounts/hash-password";
import { resetRequiredSso } from "#lib/domain/accounts/single-sign-on/set-sso-rule";
import { turnOffTwoStep } from "#lib/domain/accounts/two-step/turn-off-two-step";
import { getWorkspace } from "#lib/domain/workspaces/get-workspace";
import { prisma } from "#lib/platform/db/prisma";
import { ADMIN } from "#scripts/admin/admin-actor";
import { type AdminCommand, adminCommand, type CommandInput } from "#scripts/admin/admin-command";

const createUserInput = z.object({ email: emailSchema, password: passwordSchema.optional(), name: personNameSchema });
const emailInput = createUserInput.pick({ email: true });

export const ACCOUNT_COMMANDS: Record<string, AdminCommand> = {
  "create-user": adminCommand(createUserInput, async ({ email, name, password: given }, input) => {
    const password = given ?? (await readNewPassword(input));
    await assertStrongPassword(password, "password", [email, name]);
    const passwordHash = await hashPassword(password);
    const { userId } = await createUser(prisma(), { email, name, passwordHash });
    return { user_id: userId };
  }),
  "set-password": adminCommand(emailInput, async ({ email }, input) => {
    const { userId } = await getUserByEmail(email);
    const password = await readNewPassword(input);
    await resetPassword(userId, password, ADMIN);
    return { user_id: userId };
  }),
  "unlock-user": adminCommand(emailInput, async ({ email }) => {
    const { userId } = await getUserByEmail(email);
    return { user_id: userId, had_failures: await unlockAccount(userId, ADMIN) };
  }),
  "turn-off-two-step": adminCommand(emailInput, async ({ email }) => {
    const { userId } = await getUserByEmail(email);
    return { user_id: userId, was_on: await turnOffTwoStep(userId, ADMIN) };
  }),
  "reset-sso": adminCommand(z.object({ workspace: z.string() }), async ({ workspace }) => {
    const { workspaceId, slug } = await getWorkspace(workspace);
    return { workspace_id: workspaceId, slug, was_required: await resetRequiredSso(workspaceId, ADMIN) };
  }),
};

/** @throws Error for a password that is too short or too long */
async function readNewPassword(input: CommandInput): Promise<string> {
  const parsed = passwordSchema.safeParse(await input.readSecret("New password"));
  if (parsed.success) return parsed.data;
  throw new Error(`password: ${parsed.error.issues[0]?.message}`);
}
