import { z } from "zod";
import { timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { seal, unseal } from "#lib/platform/secrets/seal";
import { uuidv7 } from "#lib/support/ids";

/** Tokens are sealed before a person is known, so they belong to no workspace. */
const OWNER = "00000000-0000-0000-0000-000000000000";
const VALID_MS = 10 * 60_000;

const envelopeSchema = z.object({ id: z.uuid(), expires_at: z.number(), data: z.unknown() });

/** What a token is for. One for another step of the sign-in does not open. */
type TokenKind = "second_factor" | "passkey_challenge" | "signed_out";

export interface OpenedToken<Data> {
  id: string;
  expiresAt: Date;
  data: Data;
}

/** Seals what the server has to know in the next step of a sign-in. The browser carries it and cannot read it. */
export function sealSignInToken(kind: TokenKind, data: unknown): string {
  const envelope = { id: uuidv7(), expires_at: Date.now() + VALID_MS, data };
  return seal(OWNER, `sign_in:${kind}`, envelope).toString("base64url");
}

/** Returns null for a token that has expired, was changed, or is of another kind. */
export function openSignInToken<Schema extends z.ZodType>(
  kind: TokenKind,
  token: string,
  schema: Schema,
): OpenedToken<z.output<Schema>> | null {
  try {
    const envelope = envelopeSchema.parse(unseal(OWNER, `sign_in:${kind}`, Buffer.from(token, "base64url")));
    if (envelope.expires_at <= Date.now()) return null;
    return { id: envelope.id, expiresAt: new Date(envelope.expires_at), data: schema.parse(envelope.data) };
  } catch {
    return null;
  }
}

const insertToken = defineStatement({
  name: "use_sign_in_token",
  params: { id: uuid, expiresAt: timestamptz },
  sql: "insert into used_sign_in_tokens (id, expires_at) values ($1, $2) on conflict do nothing",
  isPrepared: false,
});

const deleteExpired = defineStatement({
  name: "delete_expired_sign_in_tokens",
  // The clock of the web server, which decides, may be behind that of the database.
  sql: "delete from used_sign_in_tokens where expires_at < now() - interval '1 hour'",
  isPrepared: false,
});

/** Uses up a token. Of two requests with the same token one gets false. */
export async function takeSignInToken(tx: Db, { id, expiresAt }: Omit<OpenedToken<unknown>, "data">): Promise<boolean> {
  return (await insertToken.run(tx, { id, expiresAt })) === 1;
}

/** Forgets used tokens that have expired, which no longer open anyway. */
export async function deleteExpiredSignInTokens(tx: Db): Promise<void> {
  await deleteExpired.run(tx);
}
