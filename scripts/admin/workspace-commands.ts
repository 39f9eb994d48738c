import { z } from "zod";
import { emailSchema, personNameSchema } from "#lib/contract/account/person-inputs";
import { PLANS } from "#lib/contract/workspace/plans";
import { getUserByEmail } from "#lib/domain/accounts/get-user-by-email";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { getWorkspace } from "#lib/domain/workspaces/get-workspace";
import { setPlan } from "#lib/domain/workspaces/set-plan";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { ADMIN } from "#scripts/admin/admin-actor";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";

const createWorkspaceInput = z.object({
  slug: z.string(),
  name: personNameSchema.optional(),
  plan: z.enum(PLANS).default("free"),
  owner: emailSchema,
});
const setPlanInput = z.object({ workspace: z.string(), plan: z.enum(PLANS) });

export const WORKSPACE_COMMANDS: Record<string, AdminCommand> = {
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
      const entry = { action: "workspace.plan_set" as const, objectType: "workspace", objectId: workspaceId };
      await recordAudit(tx, { ...entry, workspaceId, actor: ADMIN, details: { plan } });
    });
    return { workspace_id: workspaceId, slug, plan };
  }),
};
