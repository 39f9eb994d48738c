import { createHash, randomBytes } from "node:crypto";

/** Creates the token of a link that sets a new password: 256 bits. */
export function createResetToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Links are found by this hash, so that a user who can read the table cannot use them. */
export function hashResetToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
