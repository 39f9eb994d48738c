import { expect, test } from "vitest";
import { answerOf } from "#lib/connectors/sdk/answer-of";
import { LIMITS } from "#lib/contract/limits";

function answer(body: string | Buffer, type?: string) {
  return answerOf({ status: 422, headers: type ? { "content-type": type } : {}, body: Buffer.from(body) });
}

test("an error keeps the status and the JSON or text that a service answered", () => {
  expect(answer('{"error":{"code":"sold_out"}}', "application/problem+json")).toEqual({
    status: 422,
    body: { error: { code: "sold_out" } },
  });
  expect(answer("sold out", "text/plain")).toEqual({ status: 422, body: "sold out" });
  expect(answer("", "application/json")).toEqual({ status: 422 });
});

test("a body above 8 KiB is cut to its start, as text, and never inside a character", () => {
  const { body } = answer(JSON.stringify({ text: `x${"я".repeat(LIMITS.errorBodyBytes)}` }), "application/json");
  expect(typeof body).toBe("string");
  expect(body).toMatch(/^\{"text":"xя+$/);
  expect(Buffer.byteLength(String(body))).toBeLessThanOrEqual(LIMITS.errorBodyBytes);
});

test("JSON that cannot be read is kept as text, and a binary body is left out", () => {
  expect(answer("{oops", "application/json")).toEqual({ status: 422, body: "{oops" });
  expect(answer(Buffer.from([0, 1, 2, 255]), "image/png")).toEqual({ status: 422 });
  expect(answer(Buffer.from([0, 1, 2, 255]))).toEqual({ status: 422 });
});
