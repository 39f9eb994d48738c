import { ApiError } from "#lib/contract/error/api-error";
import type { PrismaDb } from "#lib/platform/db/prisma";
import { uuidv7 } from "#lib/support/ids";

interface NewUser {
  /** Normalised (normalizeEmail). */
  email: string;
  name: string;
  /** Null for a person who signs in through another service. */
  passwordHash: string | null;
}

/** @throws ApiError EMAIL_TAKEN */
export async function createUser(prisma: PrismaDb, user: NewUser): Promise<{ userId: string }> {
  const userId = uuidv7();
  const inserted = await prisma.user.createMany({ data: { ...user, id: userId }, skipDuplicates: true });
  if (inserted.count === 0) throw new ApiError("EMAIL_TAKEN", "An account with this email address already exists.");
  return { userId };
}
