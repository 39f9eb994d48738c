import { describe, expect, test } from "vitest";
import { readOidcClaims } from "#lib/api/auth/oidc-claims";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";

function read(claims: object, changes: object = {}) {
  const required = { name: "company", label: "Company", issuer: "https://id.example.com", client_id: "signalbox" };
  const [setting] = oidcProvidersSchema.parse([{ ...required, ...changes }]);
  if (setting === undefined) throw new Error("the setting is wrong");
  return readOidcClaims(setting, { sub: "1", ...claims });
}

describe("groups", () => {
  test.each([
    ["a list", { groups: ["a", "b"] }, ["a", "b"]],
    ["an empty list", { groups: [] }, []],
    ["a text", { groups: "a" }, ["a"]],
    ["a list next to the mark of too many groups", { groups: ["a"], hasgroups: true }, ["a"]],
  ])("are known from %s", (_what, claims, groups) => {
    expect(read(claims).groups).toEqual({ status: "known", groups });
  });

  // An empty list would remove the person from every workspace.
  test.each([
    ["an object", { admin: { id: 1 } }],
    ["a list of objects", [{ name: "x" }]],
    ["a list with one text", ["a", { name: "x" }]],
    ["a list of lists", [["a"]]],
    ["a list with null", ["a", null]],
    ["a number", 7],
    ["a list of numbers", [7]],
    ["a boolean", true],
  ])("are unreadable, not empty, in %s", (_what, groups) => {
    expect(read({ groups }).groups).toEqual({ status: "unreadable", claim: "groups" });
  });

  test.each([
    ["no claim", {}],
    ["null", { groups: null }],
    ["another claim elsewhere", { _claim_names: { roles: "src1" } }],
    ["no list of claims elsewhere", { _claim_names: "groups" }],
  ])("are missing with %s", (_what, claims) => {
    expect(read(claims).groups).toEqual({ status: "missing", claim: "groups" });
  });

  test.each([
    ["hasgroups", { hasgroups: true }],
    ["_claim_names", { _claim_names: { groups: "src1" } }],
  ])("are too many with %s", (_what, claims) => {
    expect(read(claims).groups).toEqual({ status: "overage", claim: "groups" });
  });

  test("are found by a name with dots, as one claim or as a path", () => {
    const setting = { claims: { groups: "realm.roles" } };
    expect(read({ "realm.roles": ["a"] }, setting).groups).toMatchObject({ groups: ["a"] });
    expect(read({ realm: { roles: ["a"] } }, setting).groups).toMatchObject({ groups: ["a"] });
  });
});

test.each([1, "", " ", null, undefined, ["1"], {}, true, "s".repeat(256)])("a subject %j names no one", (sub) => {
  expect(read({ sub }).sub).toBeNull();
});

test("a subject of 255 characters names a person", () => {
  expect(read({ sub: "s".repeat(255) }).sub).toHaveLength(255);
});

describe("a second factor at the provider", () => {
  const mfa = { mfa: { amr: ["mfa"], acr: ["phr"] } };

  test.each([
    ["a listed amr", { amr: ["pwd", "mfa"] }, true],
    ["a listed acr", { acr: "phr" }, true],
    ["another amr", { amr: ["pwd", "otp"] }, false],
    ["another acr", { acr: "0" }, false],
    ["an acr that is a list", { acr: ["phr"] }, false],
    ["an amr that is not a list of texts", { amr: [{ mfa: true }] }, false],
    ["neither", {}, false],
  ])("counts only from listed values: %s", (_what, claims, isMfa) => {
    expect(read(claims, mfa).isMfa).toBe(isMfa);
  });
});
