import { expect, test } from "vitest";
import { errorWords } from "#lib/connectors/sdk/error-words";

const words = (body: unknown) => errorWords({ body: Buffer.from(JSON.stringify(body)) });

test.each([
  [{ error: { message: "No such customer: cus_1", type: "invalid_request_error" } }, "No such customer: cus_1"],
  [{ error: "invalid_grant", error_description: "The code  has\nexpired" }, "The code has expired"],
  [{ errors: [{ title: "Invalid", detail: "limit must be at most 100" }] }, "limit must be at most 100"],
  [{ errors: [{ message: "Not found", code: 404 }] }, "Not found"],
  [{ errors: ["name is required"] }, "name is required"],
  [
    { errors: { email: ["is invalid"], name: "is missing" }, message: "The given data was invalid" },
    "email: is invalid; name: is missing",
  ],
  [{ errorMessages: ["Issue does not exist"], errors: {} }, "Issue does not exist"],
  [{ type: "about:blank", title: "Bad Request", detail: "cursor is expired", status: 400 }, "cursor is expired"],
  [{ title: "Forbidden", status: 403 }, "Forbidden"],
  [{ detail: [{ loc: ["query", "limit"], msg: "value is not a valid integer" }] }, "value is not a valid integer"],
  [{ statusCode: 400, error: "Bad Request", message: "limit must not exceed 100" }, "limit must not exceed 100"],
  [{ error: "not_found" }, "not_found"],
  [{ fault: { faultstring: "Invalid API key" } }, "Invalid API key"],
  [{ error: { error_code: 6, error_msg: "Too many requests per second" } }, "Too many requests per second"],
  [{ errcode: 40001, errmsg: "invalid credential" }, "invalid credential"],
  [{ error_code: 18, error_msg: "Open api qps request limit reached" }, "Open api qps request limit reached"],
  [{ Fault: { Error: [{ Message: "Invalid", Detail: "Id is required" }] } }, "Id is required"],
  [{ __type: "ValidationException", Message: "Name is too long" }, "Name is too long"],
  [[{ message: "Session expired", errorCode: "INVALID_SESSION_ID" }], "Session expired"],
])("the message of %j is %s", (body, message) => {
  expect(words(body)).toBe(message);
});

test("a response without a message has none, and a long one is cut", () => {
  for (const body of [{}, [], null, "text", 5, { error: { code: 1 } }, { message: "" }, { errors: [] }]) {
    expect(words(body)).toBeUndefined();
  }
  expect(errorWords({ body: Buffer.from("<html>") })).toBeUndefined();
  expect(words({ message: "x".repeat(1_000) })).toHaveLength(300);
});
