import { expect, test } from "vitest";
import { contentSecurityPolicy } from "#lib/api/edge/security-headers";

function directives(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

test("scripts need a nonce, pages cannot be framed, and nothing connects to another origin", () => {
  const policy = directives(contentSecurityPolicy("bm9uY2U="));
  expect(policy["script-src"]).toEqual(["'nonce-bm9uY2U='", "'strict-dynamic'"]);
  expect(policy).toMatchObject({
    "default-src": ["'self'"],
    "connect-src": ["'self'"],
    "frame-ancestors": ["'none'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
  });
});

test("eval is allowed only in development", () => {
  expect(contentSecurityPolicy("n")).not.toContain("unsafe-eval");
  expect(contentSecurityPolicy("n", true)).toContain("'unsafe-eval'");
});
