import { createHash } from "node:crypto";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { float8, integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import type { PrismaDb } from "#lib/platform/db/prisma";

interface Rule {
  /** Failures before the first wait. */
  free: number;
  longestWaitSeconds: number;
  /** One failure is forgotten in this time. */
  forgetSeconds: number;
}

/** What guesses at one account cost: a guesser gets one attempt an hour in the end. */
const PERSON: Rule = {
  free: LIMITS.signInFailures,
  longestWaitSeconds: LIMITS.signInLongestWaitSeconds,
  forgetSeconds: LIMITS.signInForgetSeconds,
};
/** Many people can share a source, so its failures are forgotten sooner. */
const SOURCE: Rule = {
  free: LIMITS.sourceFailures,
  longestWaitSeconds: LIMITS.sourceLongestWaitSeconds,
  forgetSeconds: LIMITS.sourceForgetSeconds,
};
/** Each unlocking of a member allows further guesses, and an admin can be the one who guesses. */
const UNLOCK: Rule = {
  free: LIMITS.memberUnlocks,
  longestWaitSeconds: LIMITS.unlockLongestWaitSeconds,
  forgetSeconds: LIMITS.unlockForgetSeconds,
};

/** `account` counts devices that never signed in to it, all together; `device` counts one that did. */
const RULES = {
  account: PERSON,
  device: PERSON,
  password: PERSON,
  second_factor: PERSON,
  // Of signed-in people: a stranger who knows the password can use up the attempts at the second factor.
  confirmation: PERSON,
  address: SOURCE,
  passkey: SOURCE,
  sign_up: SOURCE,
  password_reset: SOURCE,
  unlock: UNLOCK,
} as const;
type AttemptKind = keyof typeof RULES;

/** Hashed, because people type passwords into the email field. */
function subjectOf(kind: AttemptKind, name: string): string {
  return `${kind}:${createHash("sha256").update(name).digest("base64url")}`;
}

/** The wait after the last failure: it doubles with every failure beyond the free ones. $2 free, $3 first, $4 longest. */
const WAIT = "make_interval(secs => least($4, $3 * 2 ^ least(a.failures - $2, 20)))";

const countAttempt = defineStatement({
  name: "take_sign_in_attempt",
  params: { subject: text, free: integer, first: float8, longest: float8, forget: float8 },
  row: { failures: integer },
  // No row while the subject has to wait. A refused attempt does not lengthen the wait.
  sql: `insert into sign_in_attempts as a (subject, failures, last_at) values ($1, 1, now())
        on conflict (subject) do update set last_at = now(),
          failures = greatest(0, a.failures - floor(greatest(0, extract(epoch from now() - a.last_at)::float8) / $5)::int) + 1
          where a.failures < $2 or now() >= a.last_at + ${WAIT}
        returning failures`,
});

const selectWait = defineStatement({
  name: "find_sign_in_wait",
  params: { subject: text, free: integer, first: float8, longest: float8 },
  row: { seconds: integer },
  sql: `select ceil(extract(epoch from a.last_at + ${WAIT} - now()))::int as seconds
        from sign_in_attempts a where a.subject = $1 and a.failures >= $2`,
});

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot pass the limit together. The right answer
 * returns or clears the attempts.
 * @returns 0 if the attempt may be made, otherwise the seconds to wait
 */
export async function takeSignInAttempt(tx: Db, kind: AttemptKind, name: string): Promise<number> {
  const { free, longestWaitSeconds: longest, forgetSeconds: forget } = RULES[kind];
  const attempt = { subject: subjectOf(kind, name), free, first: LIMITS.signInFirstWaitSeconds, longest };
  if (await countAttempt.first(tx, { ...attempt, forget })) return 0;
  return Math.max(1, (await selectWait.first(tx, attempt))?.seconds ?? 1);
}

/**
 * Takes an attempt.
 * @throws ApiError RATE_LIMIT_EXCEEDED that says when to try again
 */
export async function requireAttempt(kind: AttemptKind, name: string): Promise<void> {
  const waitSeconds = await takeSignInAttempt(db(), kind, name);
  if (waitSeconds > 0) throw tooManyAttempts(waitSeconds);
}

export function tooManyAttempts(waitSeconds: number): ApiError {
  const minutes = Math.ceil(waitSeconds / 60);
  const wait = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  return new ApiError("too_many_attempts", `Too many attempts. Try again in ${wait}.`, {
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

const lowerFailure = defineStatement({
  name: "return_attempt",
  params: { subject: text },
  sql: "update sign_in_attempts set failures = greatest(failures - 1, 0) where subject = $1",
});

/** Returns an attempt that succeeded, for a subject that many people share. */
export async function returnAttempt(tx: Db, kind: AttemptKind, name: string): Promise<void> {
  await lowerFailure.run(tx, { subject: subjectOf(kind, name) });
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

/** The subjects that can keep strangers out of a person's account, and the person with them. */
function subjectsOf(userId: string, email: string): string[] {
  const ofPerson = (["password", "second_factor", "confirmation"] as const).map((kind) => subjectOf(kind, userId));
  return [subjectOf("account", email), ...ofPerson];
}

/**
 * Clears the attempts at a person's account: the password was replaced, or an administrator unlocks it.
 * @returns whether there were any
 */
export async function clearAccountAttempts(prisma: PrismaDb, userId: string, email: string): Promise<boolean> {
  const subject = { in: subjectsOf(userId, email) };
  return (await prisma.signInAttempt.deleteMany({ where: { subject, failures: { gt: 0 } } })).count > 0;
}

const deleteOld = defineStatement({
  name: "delete_old_sign_in_attempts",
  sql: "delete from sign_in_attempts where last_at < now() - interval '2 days'",
  isPrepared: false,
});

/** Deletes attempts that no longer count: after two days even the longest wait has ended and is forgotten. */
export async function deleteOldSignInAttempts(tx: Db): Promise<void> {
  await deleteOld.run(tx);
}
