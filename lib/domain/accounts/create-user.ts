import { ApiError } from "#lib/contract/api-error";
import { nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

interface NewUser {
  /** Normalised (normalizeEmail). */
  email: string;
  name: string;
  /** Null for somebody who signs in by another service. */
  passwordHash: string | null;
}

const insertUser = defineStatement({
  name: "create_user",
  params: { id: uuid, email: text, name: text, passwordHash: nullable(text) },
  sql: "insert into users (id, email, name, password_hash) values ($1, $2, $3, $4) on conflict (email) do nothing",
  isPrepared: false,
});

/** @throws ApiError EMAIL_TAKEN */
export async function createUser(tx: Db, user: NewUser): Promise<{ userId: string }> {
  const userId = uuidv7();
  const inserted = await insertUser.run(tx, { ...user, id: userId });
  if (inserted === 0) throw new ApiError("EMAIL_TAKEN", "There is already an account with this e-mail address.");
  return { userId };
}
