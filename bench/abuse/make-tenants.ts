import { randomBytes } from "node:crypto";
import { SCOPES, type Scope } from "#lib/contract/key/scopes";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Plan } from "#lib/contract/workspace/plans";
import { createUser } from "#lib/domain/accounts/create-user";
import { hashPassword } from "#lib/domain/accounts/hash-password";
import { createKey } from "#lib/domain/keys/create-key";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { prismaTransaction } from "#lib/platform/db/prisma";

/** A workspace with its owner and a key. */
export interface Tenant {
  workspaceId: string;
  userId: string;
  plan: Plan;
  email: string;
  password: string;
  /** The headers of a call with the tenant's key. */
  headers: Record<string, string>;
  editor: Editor;
}

export interface Tenants {
  attacker: Tenant;
  victim: Tenant;
}

/**
 * Creates the two tenants with the product's own use cases. The attacker has a free workspace's limits. The victim's
 * plan does not limit its probe.
 */
export async function makeTenants(attackerScopes?: readonly Scope[]): Promise<Tenants> {
  return { attacker: await makeTenant("free", attackerScopes), victim: await makeTenant("business", SCOPES) };
}

async function makeTenant(plan: Plan, scopes: readonly Scope[] | undefined): Promise<Tenant> {
  const slug = `${plan}-${randomBytes(4).toString("hex")}`;
  const [email, password] = [`${slug}@example.com`, randomBytes(12).toString("hex")];
  const passwordHash = await hashPassword(password);
  const { userId, workspaceId } = await prismaTransaction(async (tx) => {
    const user = await createUser(tx.prisma, { email, name: slug, passwordHash });
    const workspace = await createWorkspace(tx.prisma, { slug, name: slug, plan, ownerId: user.userId });
    return { ...user, ...workspace };
  });
  const actor = { type: "user", id: userId, name: slug } as const;
  const { raw_key } = await createKey({ workspaceId, userId, actor, name: "key", ...(scopes ? { scopes } : {}) });
  const headers = { authorization: `Bearer ${raw_key}`, "content-type": "application/json" };
  return { workspaceId, userId, plan, email, password, headers, editor: { workspaceId, userId, actor } };
}

/** Publishes a workflow as one of the tenant's actions. */
export async function publishAction({ editor }: Tenant, slug: string, definition: Definition): Promise<void> {
  const { workflow_id: workflowId } = await createWorkflow(editor, { name: slug, description: null, definition });
  await deployWorkflow(editor, { workflowId, slug });
}
