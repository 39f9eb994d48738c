import { expect } from "vitest";
import type { ApiError } from "#lib/contract/api-error";

/** For tests: the error that a promise is rejected with. */
export function errorOf(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => expect.fail("it was not refused"),
    (error: ApiError) => error,
  );
}
