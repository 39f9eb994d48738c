import { ApiError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { createUser } from "#lib/domain/accounts/create-user";
import { hashPassword, verifyPassword } from "#lib/domain/accounts/hash-password";
import type { Actor } from "#lib/domain/audit/record-audit";
import { createKey } from "#lib/domain/keys/create-key";
import { verifyKey } from "#lib/domain/keys/verify-key";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { DEMO_DEFINITION, DEMO_INPUT, DEMO_SLUG } from "#prisma/demo-workflow";

/** The demo in its current state. */
export interface Demo {
  email: string;
  /** Null if the user has changed it. */
  password: string | null;
  rawKey: string;
  slug: string;
  input: JsonObject;
}

interface DemoWorkspace {
  userId: string;
  workspaceId: string;
  passwordHash: string;
}

const EMAIL = "demo@example.com";
const WORKSPACE = { name: "Demo", slug: "demo", plan: "pro" } as const;
const ACTOR: Actor = { type: "system", id: null, name: "first start" };

/**
 * Creates a user, a workspace and a published action in a new instance. Only an empty database gets them, and later
 * changes by the user are kept.
 * @param password password of the demo user, used only to create the user
 * @param rawKey key of an earlier start; reused while it is valid, so that an agent that has it keeps its access
 * @returns null if the database belongs to other users, the action is gone, or the plan has no room for another key
 */
export async function seed({ password, rawKey }: { password: string; rawKey?: string }): Promise<Demo | null> {
  const demo = (await findDemo()) ?? (await createDemo(password));
  if (!demo) return null;
  if (!(await findOrPublishAction(demo))) return null;
  const isValid = rawKey !== undefined && (await isValidKey(demo.workspaceId, rawKey));
  const usableKey = isValid ? rawKey : await makeKey(demo);
  if (usableKey === null) return null;
  return {
    email: EMAIL,
    password: (await verifyPassword(demo.passwordHash, password)) ? password : null,
    rawKey: usableKey,
    slug: DEMO_SLUG,
    input: DEMO_INPUT,
  };
}

async function findDemo(): Promise<DemoWorkspace | null> {
  const { rows } = await db().query<{ user_id: string; workspace_id: string; password_hash: string }>({
    text: `select u.id as user_id, w.id as workspace_id, u.password_hash
           from users u join workspace_members m on m.user_id = u.id join workspaces w on w.id = m.workspace_id
           where u.email = $1 and w.slug = $2`,
    values: [EMAIL, WORKSPACE.slug],
  });
  const row = rows[0];
  return row ? { userId: row.user_id, workspaceId: row.workspace_id, passwordHash: row.password_hash } : null;
}

async function createDemo(password: string): Promise<DemoWorkspace | null> {
  const { rows } = await db().query<{ is_empty: boolean }>({
    text: "select not exists (select 1 from users) as is_empty",
  });
  if (!rows[0]?.is_empty) return null;
  const passwordHash = await hashPassword(password);
  return prismaTransaction(async (tx) => {
    const { userId } = await createUser(tx.prisma, { email: EMAIL, name: "Demo", passwordHash });
    const { workspaceId } = await createWorkspace(tx.prisma, { ...WORKSPACE, ownerId: userId });
    return { userId, workspaceId, passwordHash };
  });
}

/** @returns false if the action exists and the user has paused or archived it */
async function findOrPublishAction({ workspaceId, userId }: DemoWorkspace): Promise<boolean> {
  const { rows } = await db().query<{ status: string }>({
    text: "select status from actions where workspace_id = $1 and slug = $2",
    values: [workspaceId, DEMO_SLUG],
  });
  if (rows[0]) return rows[0].status === "active";
  const editor = { workspaceId, userId, actor: ACTOR };
  const { workflow_id: workflowId } = await createWorkflow(editor, {
    name: "Hello world",
    description: "Greets a visitor. A small workflow to look at, call and change.",
    definition: DEMO_DEFINITION,
  });
  await deployWorkflow(editor, { workflowId, slug: DEMO_SLUG, note: "First release" });
  return true;
}

async function isValidKey(workspaceId: string, rawKey: string): Promise<boolean> {
  const id = await verifyKey(rawKey);
  const { rowCount } = await db().query({
    text: `select 1 from api_keys
           where id = $1 and workspace_id = $2 and is_active and (expires_at is null or expires_at > now())`,
    values: [id, workspaceId],
  });
  return rowCount === 1;
}

/** Returns null if the user's own keys fill the plan's quota, which must not prevent the instance from starting. */
async function makeKey({ workspaceId, userId }: DemoWorkspace): Promise<string | null> {
  try {
    const key = await createKey({ workspaceId, userId, actor: ACTOR, name: "Demo key" });
    return key.raw_key;
  } catch (error) {
    if (error instanceof ApiError && error.code === "KEY_QUOTA_EXCEEDED") return null;
    throw error;
  }
}
