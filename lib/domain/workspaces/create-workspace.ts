import { randomBytes } from "node:crypto";
import { SLUG_PATTERN } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import type { Plan } from "#lib/contract/workspace/plans";
import type { PrismaDb } from "#lib/platform/db/prisma";
import { uuidv7 } from "#lib/support/ids";

interface NewWorkspace {
  name: string;
  /** Defaults to a slug made from the name, with a random ending if that one is taken. */
  slug?: string;
  plan?: Plan;
  /** An IANA time zone; defaults to UTC. */
  timeZone?: string;
  ownerId: string;
}

/**
 * Creates a workspace and its owner's membership inside the caller's transaction.
 * @throws ApiError BAD_REQUEST for a malformed slug, SLUG_TAKEN if another workspace has it
 */
export async function createWorkspace(
  prisma: PrismaDb,
  workspace: NewWorkspace,
): Promise<{ workspaceId: string; slug: string }> {
  if (workspace.slug !== undefined && !SLUG_PATTERN.test(workspace.slug)) {
    throw new ApiError("BAD_REQUEST", "slug: use lowercase letters, digits and inner hyphens, at most 64 characters");
  }
  const workspaceId = uuidv7();
  const slug = workspace.slug ?? slugOf(workspace.name);
  const candidates = workspace.slug === undefined ? [slug, `${slug}-${randomBytes(3).toString("hex")}`] : [slug];
  for (const candidate of candidates) {
    const { name, plan = "free", timeZone = "UTC", ownerId } = workspace;
    const data = { id: workspaceId, slug: candidate, name, plan, timeZone };
    const inserted = await prisma.workspace.createMany({ data, skipDuplicates: true });
    if (inserted.count === 0) continue;
    await prisma.workspaceMember.create({ data: { workspaceId, userId: ownerId, role: "owner" } });
    return { workspaceId, slug: candidate };
  }
  throw new ApiError("SLUG_TAKEN", `Another workspace already has the slug ${slug}.`);
}

function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-").slice(0, 40).replace(/-+$/, "") || "workspace";
}
