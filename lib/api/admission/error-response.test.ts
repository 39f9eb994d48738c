import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errorResponse, toApiError } from "#lib/api/admission/error-response";
import { ApiError } from "#lib/contract/error/api-error";

// Server errors are logged on stdout.
const stdout = vi.spyOn(process.stdout, "write");
beforeEach(() => {
  stdout.mockReset().mockReturnValue(true);
});
afterEach(() => vi.clearAllMocks());

const withCode = (code: string) => Object.assign(new Error("secret detail"), { code });

test.each([
  ["a database that does not answer", "database_unreachable", withCode("ECONNREFUSED")],
  ["an unknown host", "database_unreachable", withCode("ENOTFOUND")],
  ["a database that is shutting down", "database_restarting", withCode("57P01")],
  ["too many connections", "database_overloaded", withCode("53300")],
  ["a lost connection", "database_unreachable", withCode("08006")],
  ["a timeout in the pool", "database_overloaded", new Error("timeout exceeded when trying to connect")],
  ["a connection that ended", "database_unreachable", new Error("Connection terminated unexpectedly")],
  ["a query that hangs", "database_timeout", new Error("Query read timeout")],
])("%s becomes a 503 with retry-after and the reason %s", async (_, reason, thrown) => {
  const response = errorResponse(toApiError(thrown, "r-1"), new Headers());
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await response.json()).toMatchObject({ code: "SERVICE_UNAVAILABLE", reason });
});

test.each([
  ["an invalid statement", withCode("42P01")],
  ["a bug", new TypeError("secret detail")],
  ["a thrown value that is not an error", "secret detail"],
  ["nothing", undefined],
])("%s becomes a 500 that reveals no details", async (_, thrown) => {
  const response = errorResponse(toApiError(thrown, "r-2"), new Headers());
  expect(response.status).toBe(500);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({
    code: "INTERNAL_ERROR",
    reason: "internal_error",
    error: expect.any(String),
  });
  expect(text).not.toContain("secret");
  expect(stdout.mock.calls.join("")).toContain("r-2");
});

test("an error of the caller keeps its message and is not logged", async () => {
  const error = new ApiError("RATE_LIMIT_EXCEEDED", "Rate limit exceeded", { retryAfterSeconds: 7, cause: "hidden" });
  const response = errorResponse(toApiError(error, "r-3"), new Headers());
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("7");
  expect(await response.json()).toEqual({
    error: "Rate limit exceeded",
    code: "RATE_LIMIT_EXCEEDED",
    reason: "rate_limit_exceeded",
  });
  expect(stdout).not.toHaveBeenCalled();
});

test("a 401 names the authentication scheme", () => {
  const response = errorResponse(new ApiError("UNAUTHORIZED", "no"), new Headers());
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
});
