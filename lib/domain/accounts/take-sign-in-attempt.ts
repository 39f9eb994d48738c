import { createHash } from "node:crypto";
import { ApiError } from "#lib/contract/api-error";
import { float8, integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import type { PrismaDb } from "#lib/platform/db/prisma";

const WINDOW_SECONDS = 15 * 60;
const LIMITS = { account: 10, address: 50, sign_up: 50, password: 10, second_factor: 10, passkey: 50 } as const;
type AttemptKind = keyof typeof LIMITS;

/** Hashed, because people type passwords into the email field. */
function subjectOf(kind: AttemptKind, name: string): string {
  return `${kind}:${createHash("sha256").update(name).digest("base64url")}`;
}

const countAttempt = defineStatement({
  name: "take_sign_in_attempt",
  params: { subject: text, windowSeconds: float8 },
  row: { failures: integer, seconds_left: integer },
  sql: `insert into sign_in_attempts as a (subject, failures, window_started_at) values ($1, 1, now())
        on conflict (subject) do update set
          failures = case when a.window_started_at > now() - make_interval(secs => $2) then a.failures + 1 else 1 end,
          window_started_at = case when a.window_started_at > now() - make_interval(secs => $2)
                                   then a.window_started_at else now() end
        returning failures, least($2, ceil($2 - extract(epoch from now() - window_started_at)))::int as seconds_left`,
});

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot pass the limit together: 10 per account and
 * 50 per address in 15 minutes. A successful sign-in returns its attempt (`returnSignInAttempt`).
 * @returns 0 if the attempt may be made, otherwise the seconds until the window ends
 */
export async function takeSignInAttempt(tx: Db, kind: AttemptKind, name: string): Promise<number> {
  const subject = subjectOf(kind, name);
  const { failures, seconds_left: secondsLeft } = await countAttempt.one(tx, {
    subject,
    windowSeconds: WINDOW_SECONDS,
  });
  return failures > LIMITS[kind] ? Math.max(1, secondsLeft) : 0;
}

/**
 * Takes an attempt of a signed-in person.
 * @throws ApiError RATE_LIMIT_EXCEEDED
 */
export async function requireAttempt(kind: AttemptKind, name: string): Promise<void> {
  const waitSeconds = await takeSignInAttempt(db(), kind, name);
  if (waitSeconds === 0) return;
  throw new ApiError("too_many_attempts", "Too many attempts. Wait a few minutes and try again.", {
    retryAfterSeconds: waitSeconds,
  });
}

const clearFailures = defineStatement({
  name: "forget_sign_in_attempts",
  params: { subject: text },
  sql: "update sign_in_attempts set failures = 0 where subject = $1",
});

/** Clears the attempts after the right answer. */
export async function forgetAttempts(tx: Db, kind: AttemptKind, name: string): Promise<void> {
  await clearFailures.run(tx, { subject: subjectOf(kind, name) });
}

/** Clears the attempts of a person whose password was replaced: earlier attempts do not count against the new one. */
export async function forgetPasswordAttempts(prisma: PrismaDb, userId: string, email: string): Promise<void> {
  const subjects = [subjectOf("account", email), subjectOf("password", userId)];
  await prisma.signInAttempt.deleteMany({ where: { subject: { in: subjects } } });
}

const lowerFailures = defineStatement({
  name: "return_sign_in_attempt",
  params: { account: text, address: text },
  sql: `update sign_in_attempts set failures = case when subject = $1 then 0 else greatest(failures - 1, 0) end
        where subject in ($1, $2)`,
});

/** Clears the account after the right password, and returns the attempt to its address. */
export async function returnSignInAttempt(tx: Db, email: string, address: string): Promise<void> {
  await lowerFailures.run(tx, { account: subjectOf("account", email), address: subjectOf("address", address) });
}
