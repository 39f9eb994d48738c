import { expect } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";

/** Returns the error that a promise rejects with. */
export function errorOf(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => expect.fail("the promise did not reject"),
    (error: ApiError) => error,
  );
}
