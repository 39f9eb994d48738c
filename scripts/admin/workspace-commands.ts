import { z } from "zod";
import { emailSchema, passwordSchema, personNameSchema } from "#lib/contract/inputs/person-inputs";
import { PLANS } from "#lib/contract/plans";
import { resetPassword } from "#lib/domain/accounts/change-password";
import { createUser } from "#lib/domain/accounts/create-user";
import { getUserByEmail } from "#lib/domain/accounts/get-user-by-email";
import { hashPassword } from "#lib/domain/accounts/hash-password";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { getWorkspace } from "#lib/domain/workspaces/get-workspace";
import { setPlan } from "#lib/domain/workspaces/set-plan";
import { prisma, prismaTransaction } from "#lib/platform/db/prisma";
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
    const { userId } = await createUser(prisma(), { email, name, passwordHash });
    return { user_id: userId };
  }),
  "set-password": adminCommand(setPasswordInput, async ({ email, password }) => {
    const { userId } = await getUserByEmail(email);
    await resetPassword(userId, password, ADMIN);
    return { user_id: userId };
  }),
  "create-workspace": adminCommand(createWorkspaceInput, async ({ slug, name, plan, owner }) => {
    const { userId: ownerId } = await getUserByEmail(owner);
    const made = await prismaTransaction((tx) =>
      createWorkspace(tx.prisma, { slug, name: name ?? slug, plan, ownerId }),
    );
    return { workspace_id: made.workspaceId, slug: made.slug };
  }),
  "set-plan": adminCommand(setPlanInput, async (input) => {
    const { workspaceId, slug } = await getWorkspace(input.workspace);
    const { plan } = input;
    await prismaTransaction(async (tx) => {
      await setPlan(tx.prisma, workspaceId, plan);
      const entry = { action: "workspace.plan_set", objectType: "workspace", objectId: workspaceId };
      await recordAudit(tx, { ...entry, workspaceId, actor: ADMIN, details: { plan } });
    });
    return { workspace_id: workspaceId, slug, plan };
  }),
};
