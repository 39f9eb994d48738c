import { randomBytes } from "node:crypto";
import { SLUG_PATTERN } from "#lib/contract/action";
import { ApiError } from "#lib/contract/api-error";
import { PLANS, type Plan } from "#lib/contract/plans";
import { enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

interface NewWorkspace {
  name: string;
  /** Left out: made from the name, with a random end where that one is taken. */
  slug?: string;
  plan?: Plan;
  /** IANA; UTC when left out. */
  timeZone?: string;
  ownerId: string;
}

const insertWorkspace = defineStatement({
  name: "insert_workspace",
  params: { id: uuid, slug: text, name: text, plan: enumOf(PLANS), timeZone: text },
  sql: `insert into workspaces (id, slug, name, plan, time_zone) values ($1, $2, $3, $4, $5)
        on conflict (slug) do nothing`,
  isPrepared: false,
});

const insertOwner = defineStatement({
  name: "insert_owner",
  params: { workspaceId: uuid, userId: uuid },
  sql: "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'owner')",
  isPrepared: false,
});

/**
 * Creates a workspace and its owner's membership inside the caller's transaction.
 * @throws ApiError BAD_REQUEST for a slug of the wrong shape, SLUG_TAKEN when another workspace has it
 */
export async function createWorkspace(tx: Db, workspace: NewWorkspace): Promise<{ workspaceId: string; slug: string }> {
  if (workspace.slug !== undefined && !SLUG_PATTERN.test(workspace.slug)) {
    throw new ApiError("BAD_REQUEST", "slug: only lower-case letters, digits and inner hyphens, 64 characters at most");
  }
  const workspaceId = uuidv7();
  const slug = workspace.slug ?? slugOf(workspace.name);
  const candidates = workspace.slug === undefined ? [slug, `${slug}-${randomBytes(3).toString("hex")}`] : [slug];
  for (const candidate of candidates) {
    const { name, plan = "free", timeZone = "UTC", ownerId } = workspace;
    if ((await insertWorkspace.run(tx, { id: workspaceId, slug: candidate, name, plan, timeZone })) !== 1) continue;
    await insertOwner.run(tx, { workspaceId, userId: ownerId });
    return { workspaceId, slug: candidate };
  }
  throw new ApiError("SLUG_TAKEN", `Another workspace has the slug ${slug}.`);
}

function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-").slice(0, 40).replace(/-+$/, "") || "workspace";
}
