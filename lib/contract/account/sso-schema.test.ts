import { expect, test } from "vitest";
import { ssoRuleInput } from "#lib/contract/account/sso-schema";
import { LIMITS } from "#lib/contract/limits";

const RULE = {
  provider: "company",
  group_roles: [{ group: "support", role: "viewer" }],
  default_role: null,
  email_domains: ["example.com"],
};
const repeat = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

test("a rule keeps its groups without spaces around them, and its domains in lower case", () => {
  const given = { ...RULE, group_roles: [{ group: " a = b ", role: "admin" }], email_domains: [" Example.COM "] };
  expect(ssoRuleInput.parse(given)).toEqual({
    ...RULE,
    group_roles: [{ group: "a = b", role: "admin" }],
    email_domains: ["example.com"],
  });
});

test.each([
  ["a group that makes owners", { group_roles: [{ group: "support", role: "owner" }] }, "group_roles.0.role"],
  ["a default role that makes owners", { default_role: "owner" }, "default_role"],
  ["an unknown role", { default_role: "boss" }, "default_role"],
  ["an empty group", { group_roles: [{ group: "  ", role: "viewer" }] }, "group_roles.0.group"],
  ["a group of 201 characters", { group_roles: [{ group: "g".repeat(201), role: "viewer" }] }, "group_roles.0.group"],
  ["too many groups", { group_roles: repeat({ group: "g", role: "viewer" }, LIMITS.ssoGroups + 1) }, "group_roles"],
  ["a domain without a dot", { email_domains: ["localhost"] }, "email_domains.0"],
  ["an address instead of a domain", { email_domains: ["ann@example.com"] }, "email_domains.0"],
  ["a domain with a wildcard", { email_domains: ["*.example.com"] }, "email_domains.0"],
  ["a domain of 254 characters", { email_domains: [`${"a".repeat(250)}.com`] }, "email_domains.0"],
  ["too many domains", { email_domains: repeat("example.com", LIMITS.ssoEmailDomains + 1) }, "email_domains"],
  ["no provider", { provider: "" }, "provider"],
])("a rule with %s is refused", (_what, change, path) => {
  const { error } = ssoRuleInput.safeParse({ ...RULE, ...change });
  expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
});

test("a rule at its limits is accepted", () => {
  const group_roles = repeat({ group: "g".repeat(200), role: "viewer" }, LIMITS.ssoGroups);
  const email_domains = repeat("example.com", LIMITS.ssoEmailDomains);
  expect(ssoRuleInput.safeParse({ ...RULE, group_roles, email_domains }).success).toBe(true);
});
