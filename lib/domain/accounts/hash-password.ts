import { hash, verify } from "@node-rs/argon2";
import { ApiError } from "#lib/contract/error/api-error";

/** Argon2id with the package's defaults: 64 MiB and three passes, about 100 ms on one core. */
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

/** The cost of a real check for an account that does not exist, so that its answer takes as long. */
const DUMMY_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Two at a time: a flood of sign-ins must not take every thread, and 64 MiB for each, from the rest of the process. */
const MAX_ACTIVE = 2;
/** About a second of waiting; a longer queue would only keep people at a page that seems to hang. */
const MAX_WAITING = 20;
let active = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MAX_WAITING) {
    throw new ApiError("sign_in_overloaded", "Too many people are signing in. Try again in a few seconds.", {
      retryAfterSeconds: 5,
    });
  }
  // A finished check passes its slot on without lowering `active`, so that no other check can slip in between.
  if (active >= MAX_ACTIVE) await new Promise<void>((resolve) => waiting.push(resolve));
  else active += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else active -= 1;
  }
}

/** One password typed on two keyboards is one password. */
function bytesOf(password: string): string {
  return password.normalize("NFKC");
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(bytesOf(password), COST));
}

/** @param passwordHash null for an unknown account: does the same work and returns false */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const isRight = await inTurn(() => verify(passwordHash ?? DUMMY_HASH, bytesOf(password)));
  return isRight && passwordHash !== null;
}
