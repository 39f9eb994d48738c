import { expect, test } from "vitest";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";

const PROVIDER = { name: "company", label: "Company", issuer: "https://id.example.com", client_id: "signalbox" };

/** Returns the path of each issue with its message. */
function issuesOf(setting: unknown): string[] {
  const { error } = oidcProvidersSchema.safeParse(setting);
  return error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
}

test("a provider needs a name, a label, an issuer, and a client, and the rest has defaults", () => {
  expect(issuesOf([PROVIDER])).toEqual([]);
  expect(oidcProvidersSchema.parse([PROVIDER])[0]).toMatchObject({
    scopes: ["openid", "email", "profile"],
    claims: { email: "email", email_verified: "email_verified", name: "name", groups: "groups" },
    reads_userinfo: false,
    id_token_alg: "RS256",
    mfa: { amr: [], acr: [] },
    sign_out: "provider",
  });
  for (const field of Object.keys(PROVIDER)) {
    expect(issuesOf([{ ...PROVIDER, [field]: undefined }])[0]).toContain(`0.${field}: `);
  }
});

test.each([
  "https://id.example.com/realms/acme/",
  "http://localhost:8080",
  "http://127.0.0.1:8080",
  "http://[::1]:8080",
])("the issuer %s is accepted", (issuer) => {
  expect(issuesOf([{ ...PROVIDER, issuer }])).toEqual([]);
});

const KEY = { kty: "RSA", d: "secret" };

test.each([
  ...["github", "google", "credentials", "passkey", "second-factor"].map(
    (name) => [`the reserved name ${name}`, { name }, "0.name: is taken"] as const,
  ),
  ...["Company", "my company", "1st", "-a", "a".repeat(32), ""].map(
    (name) => [`the malformed name "${name}"`, { name }, "0.name: must be up to 31 lowercase letters"] as const,
  ),
  ["an empty label", { label: " " }, "0.label: "],
  ["an issuer without https", { issuer: "http://id.example.com" }, "0.issuer: must use https"],
  ["an issuer that is no address", { issuer: "id.example.com" }, "0.issuer: "],
  ["an issuer of another protocol", { issuer: "ftp://id.example.com" }, "0.issuer: "],
  ["an issuer with a query", { issuer: "https://id.example.com?a=1" }, "0.issuer: must have no query"],
  ["an issuer with a fragment", { issuer: "https://id.example.com#a" }, "0.issuer: must have no query"],
  ["an icon at another address", { icon: "https://example.com/a.png" }, "0.icon: must be a data URL"],
  ["an icon of another type", { icon: "data:text/html;base64,AA" }, "0.icon: must be a data URL"],
  ["an icon above 16 KiB", { icon: `data:image/png;base64,${"A".repeat(16_384)}` }, "0.icon: "],
  ["scopes without openid", { scopes: ["email"] }, "0.scopes: must contain openid"],
  ["a secret and a key", { client_secret: "s", client_key: KEY }, "0.client_key: must not be set with client_secret"],
  ["a key that is not private", { client_key: { kty: "RSA" } }, "0.client_key.d: "],
  ["workspaces without domains", { workspaces: ["acme"] }, "0.email_domains: must be set with workspaces"],
  ["an empty list of domains", { email_domains: [] }, "0.email_domains: "],
  ["a domain in upper case", { email_domains: ["Example.com"] }, "0.email_domains.0: must be a domain in lower case"],
  ["unsigned tokens", { id_token_alg: "none" }, "0.id_token_alg: "],
  ["tokens signed with the secret", { id_token_alg: "HS256" }, "0.id_token_alg: "],
  ["an unknown field", { domains: ["example.com"] }, '0: Unrecognized key: "domains"'],
  ["an unknown claim", { claims: { mail: "mail" } }, '0.claims: Unrecognized key: "mail"'],
] as const)("a provider with %s is refused", (_what, change, issue) => {
  const [first, ...others] = issuesOf([{ ...PROVIDER, ...change }]);
  expect(first).toContain(issue);
  expect(others).toEqual([]);
});

test("two providers with one name or one issuer are refused, and so are more than 20", () => {
  const other = { ...PROVIDER, name: "other", issuer: "https://other.example.com" };
  expect(issuesOf([PROVIDER, other])).toEqual([]);
  expect(issuesOf([PROVIDER, { ...other, name: "company" }])).toEqual(["1.name: is the same as another provider's"]);
  const { issuer } = PROVIDER;
  expect(issuesOf([PROVIDER, { ...other, issuer }])).toEqual(["1.issuer: is the same as another provider's"]);
  const many = Array.from({ length: 21 }, (_, at) => ({
    ...PROVIDER,
    name: `company-${at}`,
    issuer: `https://id-${at}.example.com`,
  }));
  expect(issuesOf(many.slice(1))).toEqual([]);
  expect(issuesOf(many)).toHaveLength(1);
});
