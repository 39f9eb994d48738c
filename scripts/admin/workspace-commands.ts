import { z } from "zod";
import { recordAudit } from "#lib/audit/record-audit";
import { PLANS } from "#lib/contract/plans";
import { transaction } from "#lib/db/transaction";
import { resetPassword } from "#lib/workspaces/change-password";
import { createUser } from "#lib/workspaces/create-user";
import { createWorkspace } from "#lib/workspaces/create-workspace";
import { getUserByEmail } from "#lib/workspaces/get-user-by-email";
import { getWorkspace } from "#lib/workspaces/get-workspace";
import { hashPassword } from "#lib/workspaces/hash-password";
import { setPlan } from "#lib/workspaces/set-plan";
import { emailSchema, passwordSchema, personNameSchema } from "#lib/workspaces/sign-up";
import { ADMIN } from "#scripts/admin/admin-actor";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";

const createUserInput = z.object({ email: emailSchema, password: passwordSchema, name: personNameSchema });
const setPasswordInput = createUserInput.pick({ email: true, password: true });
const createWorkspaceInput = z.object({
  slug: z.string(),
  name: personNameSchema.optional(),
  plan: z.enum(PLANS).default("free"),
  owner: emailSchema,
});
const setPlanInput = z.object({ workspace: z.string(), plan: z.enum(PLANS) });

export const WORKSPACE_COMMANDS: Record<string, AdminCommand> = {
  "create-user": adminCommand(createUserInput, async ({ email, name, password }) => {
    const passwordHash = await hashPassword(password);
    const { userId } = await transaction((tx) => createUser(tx, { email, name, passwordHash }));
    return { user_id: userId };
  }),
  "set-password": adminCommand(setPasswordInput, async ({ email, password }) => {
    const { userId } = await getUserByEmail(email);
    await resetPassword(userId, password, ADMIN);
    return { user_id: userId };
  }),
  "create-workspace": adminCommand(createWorkspaceInput, async ({ slug, name, plan, owner }) => {
    const { userId: ownerId } = await getUserByEmail(owner);
    const made = await transaction((tx) => createWorkspace(tx, { slug, name: name ?? slug, plan, ownerId }));
    return { workspace_id: made.workspaceId, slug: made.slug };
  }),
  "set-plan": adminCommand(setPlanInput, async (input) => {
    const { workspaceId, slug } = await getWorkspace(input.workspace);
    const { plan } = input;
    await transaction(async (tx) => {
      await setPlan(tx, workspaceId, plan);
      const entry = { action: "workspace.plan_set", objectType: "workspace", objectId: workspaceId };
      await recordAudit(tx, { ...entry, workspaceId, actor: ADMIN, details: { plan } });
    });
    return { workspace_id: workspaceId, slug, plan };
  }),
};
