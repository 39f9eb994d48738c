import { z } from "zod";
import { emailSchema, passwordSchema, personNameSchema } from "#lib/contract/account/person-inputs";
import { PLANS } from "#lib/contract/workspace/plans";
import { assertStrongPassword } from "#lib/domain/accounts/assert-strong-password";
import { unlockAccount } from "#lib/domain/accounts/attempts/unlock-account";
import { resetPassword } from "#lib/domain/accounts/change-password";
import { createUser } from "#lib/domain/accounts/create-user";
import { getUserByEmail } from "#lib/domain/accounts/get-user-by-email";
import { hashPassword } from "#lib/domain/accounts/hash-password";
import { resetRequiredSso } from "#lib/domain/accounts/single-sign-on/set-sso-rule";
import { turnOffTwoStep } from "#lib/domain/accounts/two-step/turn-off-two-step";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { getWorkspace } from "#lib/domain/workspaces/get-workspace";
import { listQueues } from "#lib/domain/workspaces/list-queues";
import { setPlan } from "#lib/domain/workspaces/set-plan";
import { setQueue } from "#lib/domain/workspaces/set-queue";
import { queueNameSchema } from "#lib/platform/config/env";
import { prisma, prismaTransaction } from "#lib/platform/db/prisma";
import { ADMIN } from "#scripts/admin/admin-actor";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";
import { readSecret } from "#scripts/admin/read-secret";

const createUserInput = z.object({ email: emailSchema, password: passwordSchema.optional(), name: personNameSchema });
const emailInput = createUserInput.pick({ email: true });
const createWorkspaceInput = z.object({
  slug: z.string(),
  name: personNameSchema.optional(),
  plan: z.enum(PLANS).default("free"),
  owner: emailSchema,
});
const setQueueInput = z.object({ workspace: z.string(), queue: queueNameSchema });
const setPlanInput = z.object({ workspace: z.string(), plan: z.enum(PLANS) });

export const WORKSPACE_COMMANDS: Record<string, AdminCommand> = {
  "create-user": adminCommand(createUserInput, async ({ email, name, password: given }) => {
    const password = given ?? (await readNewPassword());
    await assertStrongPassword(password, "password", [email, name]);
    const passwordHash = await hashPassword(password);
    const { userId } = await createUser(prisma(), { email, name, passwordHash });
    return { user_id: userId };
  }),
  "set-password": adminCommand(emailInput, async ({ email }) => {
    const { userId } = await getUserByEmail(email);
    const password = await readNewPassword();
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
  "set-queue": adminCommand(setQueueInput, async (input) => {
    const { workspaceId, slug } = await getWorkspace(input.workspace);
    const { queue } = input;
    await prismaTransaction(async (tx) => {
      await setQueue(tx, workspaceId, queue);
      const entry = { action: "workspace.queue_set" as const, objectType: "workspace", objectId: workspaceId };
      await recordAudit(tx, { ...entry, workspaceId, actor: ADMIN, details: { queue } });
    });
    const { workers = 0 } = (await listQueues()).find((one) => one.queue === queue) ?? {};
    return { workspace_id: workspaceId, slug, queue, workers };
  }),
  "list-queues": adminCommand(z.object({}), async () => ({ queues: await listQueues() })),
};

/** @throws Error for a password that is too short or too long */
async function readNewPassword(): Promise<string> {
  const parsed = passwordSchema.safeParse(await readSecret("New password"));
  if (parsed.success) return parsed.data;
  throw new Error(`password: ${parsed.error.issues[0]?.message}`);
}
