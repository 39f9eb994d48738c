import { clientSource } from "#lib/api/admission/client-address";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { env } from "#lib/platform/config/env";
import { shareInProcess } from "#lib/support/share-in-process";
import { remember } from "#lib/support/sized-cache";

/*
 * The buckets are in memory, one set per web process: they protect the database and the processor from floods, and must
 * not cost a query themselves. Limits that must be exact across processes are in the database (lib/domain/limits,
 * lib/domain/accounts).
 */
const failedKeys = shareInProcess("failedKeys", () =>
  tokenBuckets({ burst: LIMITS.failedKeysBurst, perMinute: LIMITS.failedKeysPerMinute }),
);
const signIns = shareInProcess("signIns", () =>
  tokenBuckets({ burst: LIMITS.signInRequestsBurst, perMinute: LIMITS.signInRequestsPerMinute }),
);

/** A service that was unreachable for a while sends what it kept at once. */
const WEBHOOK_BURST_MINUTES = 2;

/** Returns whether this source sent more invalid keys than its limit, so that looking up its keys has to wait. */
export function hasTooManyFailedKeys(headers: Headers): boolean {
  return failedKeys.isEmpty(clientSource(headers));
}

/**
 * Counts a request whose key was refused. Requests with a valid key never come here.
 * @returns the seconds until the source may send another one, 0 within the limit
 */
export function countFailedKey(headers: Headers): number {
  return failedKeys.take(clientSource(headers));
}

/**
 * Takes a request to sign in, sign up or authenticate with another service, before its body is read.
 * @throws ApiError RATE_LIMIT_EXCEEDED
 */
export function takeSignInRequest(headers: Headers): void {
  const retryAfterSeconds = signIns.take(clientSource(headers));
  if (retryAfterSeconds === 0) return;
  throw new ApiError("too_many_attempts", "Too many attempts. Try again later.", { retryAfterSeconds });
}

/** Returns a request to a source that has proved who it is. */
export function giveBackSignInRequest(headers: Headers): void {
  signIns.giveBack(clientSource(headers));
}

/** A delivery that has not proved yet that it is genuine. */
export interface UnprovenDelivery {
  /**
   * Counts the delivery as genuine. Call it when its signature is right, or if the address needs none.
   * @throws ApiError RATE_LIMIT_EXCEEDED
   */
  admit(): void;
}

/**
 * Takes a delivery to a webhook address, before its body is read. Genuine deliveries share the bucket of the address.
 * Others use up a bucket of their source at this address, so someone who knows only the address cannot keep genuine
 * deliveries at 429. Until its signature is checked, a delivery counts as one of the others.
 * @throws ApiError RATE_LIMIT_EXCEEDED
 */
export function takeWebhookRequest(addressId: string, headers: Headers): UnprovenDelivery {
  const perMinute = env().WEBHOOK_REQUESTS_PER_MINUTE ?? LIMITS.webhookRequestsPerMinute;
  if (perMinute === 0) return { admit: () => {} };
  const rule = { burst: WEBHOOK_BURST_MINUTES * perMinute, perMinute };
  const genuine = shareInProcess("webhooks", () => tokenBuckets(rule));
  const unproven = shareInProcess("unprovenDeliveries", () => tokenBuckets(rule));
  // The database finds the same address in capitals.
  const address = addressId.toLowerCase();
  const ofSource = `${clientSource(headers)} ${address}`;
  assertNoWait(genuine.wait(address));
  assertNoWait(unproven.take(ofSource));
  let isAdmitted = false;
  return {
    admit: () => {
      if (isAdmitted) return;
      isAdmitted = true;
      unproven.giveBack(ofSource);
      assertNoWait(genuine.take(address));
    },
  };
}

function assertNoWait(retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return;
  throw new ApiError("too_many_deliveries", "Too many requests came to this webhook address. Send them again later.", {
    retryAfterSeconds,
  });
}

interface BucketRule {
  /** How many a key may take at once. */
  burst: number;
  /** How many it gets back in a minute. */
  perMinute: number;
}

/** Token buckets by key, in this process. A key that has not been used for long has a full bucket. */
interface TokenBuckets {
  /** Takes one token. Returns 0, or the seconds until there is one to take. */
  take(key: string): number;
  /** Returns what `take` would return, without taking anything. */
  wait(key: string): number;
  /** Returns whether `take` would have to wait. */
  isEmpty(key: string): boolean;
  /** Returns a token that was taken. */
  giveBack(key: string): void;
}

/** The oldest keys are forgotten first, so that many sources cannot fill the memory. */
const KEYS_MAX = 10_000;
/** A key can come from a URL. */
const KEY_CHARACTERS = 100;

/** @param now milliseconds of a clock that never goes back */
export function tokenBuckets({ burst, perMinute }: BucketRule, now = () => performance.now()): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const read = (key: string) => {
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now() };
    return Math.min(burst, tokens + ((now() - at) / 60_000) * perMinute);
  };
  const secondsUntil = (tokens: number) => (tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / perMinute) * 60));
  const write = (key: string, tokens: number) => remember(buckets, key, { tokens, at: now() }, KEYS_MAX);
  const keyOf = (given: string) => given.slice(0, KEY_CHARACTERS);
  return {
    take(given) {
      const tokens = read(keyOf(given));
      write(keyOf(given), tokens >= 1 ? tokens - 1 : tokens);
      return secondsUntil(tokens);
    },
    wait: (given) => secondsUntil(read(keyOf(given))),
    isEmpty: (given) => read(keyOf(given)) < 1,
    giveBack: (given) => write(keyOf(given), Math.min(burst, read(keyOf(given)) + 1)),
  };
}
