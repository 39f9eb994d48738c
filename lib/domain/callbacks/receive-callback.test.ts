import { describe, expect, test } from "vitest";
import { ApiError } from "#lib/contract/error/api-error";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { retryUnready } from "#lib/domain/callbacks/receive-callback";
import { PoolError } from "#lib/platform/child-pool/pool-error";

const unready = (kind: PoolError["kind"]) =>
  new ApiError("SERVICE_UNAVAILABLE", "Try again shortly.", { cause: new PoolError(kind, "no process") });

/** A job that fails with these errors, one per attempt, and then returns. */
function failing(...errors: Error[]) {
  const state = { attempts: 0 };
  const job = async () => {
    const error = errors[state.attempts];
    state.attempts += 1;
    if (error) throw error;
    return "read";
  };
  return { job, state };
}

describe("a job for which no process is ready", () => {
  test.each(["not_started", "killed", "starved"] as const)("is done by the next one after %s", async (kind) => {
    const { job, state } = failing(unready(kind), unready(kind));
    expect([await retryUnready(job), state.attempts]).toEqual(["read", 3]);
  });

  test("is refused with 503 after three attempts", async () => {
    const { job, state } = failing(...Array.from({ length: 9 }, () => unready("not_started")));
    expect((await errorOf(retryUnready(job))).code).toBe("SERVICE_UNAVAILABLE");
    expect(state.attempts).toBe(3);
  });

  test("answers what it found in a later attempt", async () => {
    const { job } = failing(unready("not_started"), new ApiError("BAD_REQUEST", "The body is wrong."));
    expect((await errorOf(retryUnready(job))).code).toBe("BAD_REQUEST");
  });
});

test.each(["crowded", "ended", "cpu_limit", "time_limit"] as const)("a job is not repeated after %s", async (kind) => {
  const { job, state } = failing(unready(kind));
  await errorOf(retryUnready(job));
  expect(state.attempts).toBe(1);
});
