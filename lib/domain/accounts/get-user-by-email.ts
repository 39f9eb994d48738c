import { ApiError } from "#lib/contract/error/api-error";
import { prisma } from "#lib/platform/db/prisma";

/**
 * @param email normalized
 * @throws ApiError NOT_FOUND
 */
export async function getUserByEmail(email: string): Promise<{ userId: string }> {
  const user = await prisma().user.findUnique({ where: { email }, select: { id: true } });
  if (!user) throw new ApiError("NOT_FOUND", `There is no user ${email}.`);
  return { userId: user.id };
}
