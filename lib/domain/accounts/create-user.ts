import { ApiError } from "#lib/contract/api-error";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

interface NewUser {
  /** Normalised (normalizeEmail). */
  email: string;
  name: string;
  /** Null for somebody who signs in by another service. */
  passwordHash: string | null;
}

/** @throws ApiError EMAIL_TAKEN */
export async function createUser(tx: Db, user: NewUser): Promise<{ userId: string }> {
  const userId = uuidv7();
  const { rowCount } = await tx.query({
    text: "insert into users (id, email, name, password_hash) values ($1, $2, $3, $4) on conflict (email) do nothing",
    values: [userId, user.email, user.name, user.passwordHash],
  });
  if (rowCount !== 1) throw new ApiError("EMAIL_TAKEN", "There is already an account with this e-mail address.");
  return { userId };
}
