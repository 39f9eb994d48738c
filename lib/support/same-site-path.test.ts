import { expect, test } from "vitest";
import { sameSitePath } from "#lib/support/same-site-path";

test.each(["/", "/workflows", "/runs?status=failed&q=a%2Fb", "/actions/x#releases", "/signup?invite=abc_-1"])(
  "%j is a path of this site",
  (path) => {
    expect(sameSitePath(path)).toBe(path);
  },
);

test.each([
  "",
  "workflows",
  "//evil.com",
  "//evil.com/%2f..",
  "///evil.com",
  "/\\evil.com",
  "/\\/evil.com",
  "\\/evil.com",
  "\\\\evil.com",
  "/a\\b",
  "/\t/evil.com",
  "/\n/evil.com",
  "/\r\n//evil.com",
  "\t//evil.com",
  " //evil.com",
  "/ok\u0000",
  "/.//evil.com",
  "/..//evil.com",
  "/./\\evil.com",
  "/a/..//evil.com",
  "http://evil.com",
  "https:evil.com",
  "https:/evil.com",
  "HTTP://evil.com",
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "mailto:a@b.c",
  ".evil.com",
  "@evil.com",
  "?next=/",
  "#x",
  `/${"a".repeat(2_001)}`,
  null,
  undefined,
])("%j is refused", (raw) => {
  expect(sameSitePath(raw)).toBeNull();
});
