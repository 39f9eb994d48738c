import { expect, test } from "vitest";
import { normalizeEmail } from "#lib/contract/account/normalize-email";

test("an address is stored in one form, regardless of case, width and surrounding spaces", () => {
  expect(normalizeEmail("  Ann.Lee+news@Example.COM ")).toBe("ann.lee+news@example.com");
  expect(normalizeEmail("ａｎｎ@example.com")).toBe("ann@example.com");
  expect(normalizeEmail("root@localhost")).toBe("root@localhost");
});

test.each([
  "",
  "ann",
  "@example.com",
  "ann@",
  "ann@@example.com",
  "ann@example.com@evil.com",
  "ann＠example.com",
  "ann﹫example.com",
  "ann@example.com＠evil.com",
  "ann@exam ple.com",
  "ann@example..com",
  "ann@-example.com",
  "ann@example.com\r\nbcc: eve@evil.com",
  "ann\u0000@example.com",
  "аnn@example.com",
  "ann@exаmple.com",
  "ann@example.com,eve@evil.com",
  '"ann@x"@example.com',
  `${"a".repeat(65)}@example.com`,
  `ann@${"a.".repeat(150)}com`,
])("%j is not an address", (raw) => {
  expect(normalizeEmail(raw)).toBeNull();
});
