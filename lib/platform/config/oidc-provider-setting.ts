import { z } from "zod";

/** These names are routes of the sign-in already. */
const TAKEN_NAMES = ["github", "google", "credentials", "passkey", "second-factor"];

const claimName = z.string().min(1).max(200);

/** OpenID Connect requires https; a provider on the same machine is for tests. */
const issuer = z
  // The checks that follow need an address.
  .url({ protocol: /^https?$/, abort: true })
  .refine((url) => url.startsWith("https:") || isLoopback(new URL(url).hostname), "must use https")
  .refine((url) => new URL(url).search === "" && new URL(url).hash === "", "must have no query and no fragment");

const providerSchema = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[a-z][a-z0-9-]{0,30}$/,
        "must be up to 31 lowercase letters, digits and hyphens, and start with a letter",
      )
      .refine((name) => !TAKEN_NAMES.includes(name), "is taken"),
    label: z.string().trim().min(1).max(40),
    icon: z
      .string()
      .max(16_384)
      .regex(/^data:image\/(svg\+xml|png|webp);base64,/, "must be a data URL of an SVG, PNG or WebP image in base64")
      .optional(),
    issuer,
    client_id: z.string().min(1),
    client_secret: z.string().min(1).optional(),
    client_key: z
      .looseObject({ kty: z.string(), d: z.string() })
      .optional()
      .describe("The private key, as a JWK, of a client that signs in at the provider by private_key_jwt."),
    scopes: z
      .array(z.string().min(1))
      .default(["openid", "email", "profile"])
      .refine((scopes) => scopes.includes("openid"), "must contain openid"),
    claims: z
      .strictObject({
        email: claimName.default("email"),
        email_verified: claimName.default("email_verified"),
        name: claimName.default("name"),
        groups: claimName.default("groups"),
      })
      .prefault({}),
    reads_userinfo: z.boolean().default(false),
    id_token_alg: z.enum(["RS256", "PS256", "ES256", "EdDSA"]).default("RS256"),
    mfa: z
      .strictObject({ amr: z.array(z.string()).default([]), acr: z.array(z.string()).default([]) })
      .prefault({})
      .describe("The values of amr or acr that prove a second factor at the provider."),
    sign_out: z
      .enum(["provider", "local"])
      .default("provider")
      .describe("Whether signing out here also signs people out at the provider."),
    email_domains: z
      .array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "must be a domain in lower case"))
      .min(1)
      .optional()
      .describe("The domains whose addresses the provider may vouch for."),
    workspaces: z.array(z.string()).optional().describe("The slugs of the workspaces that may use the provider."),
  })
  .refine(({ client_secret: secret, client_key: key }) => secret === undefined || key === undefined, {
    path: ["client_key"],
    message: "must not be set with client_secret",
  })
  // A provider of one customer must not vouch for the addresses of another: an address opens accounts and invites.
  .refine(({ workspaces, email_domains: domains }) => workspaces === undefined || domains !== undefined, {
    path: ["email_domains"],
    message: "must be set with workspaces",
  });

/** An OpenID Connect provider of `OIDC_PROVIDERS`. */
export type OidcProvider = z.output<typeof providerSchema>;

/** The providers of `OIDC_PROVIDERS`: each has its own name, and an issuer names one of them. */
export const oidcProvidersSchema = z
  .array(providerSchema)
  .max(20)
  .superRefine((providers, context) => {
    for (const field of ["name", "issuer"] as const) {
      providers.forEach((provider, at) => {
        if (providers.findIndex((other) => other[field] === provider[field]) === at) return;
        context.addIssue({ code: "custom", path: [at, field], message: "is the same as another provider's" });
      });
    }
  });

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
