import { remember } from "#lib/support/remember";

interface BucketRule {
  /** How many a key may take at once. */
  burst: number;
  /** How many it gets back in a minute. */
  perMinute: number;
}

/** Token buckets by key, in this process. A key that has not been used for long has a full bucket. */
export interface TokenBuckets {
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
