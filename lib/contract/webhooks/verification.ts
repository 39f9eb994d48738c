import { z } from "zod";

/**
 * How the deliveries of one sender are verified and recognized, as data (decisions, Inbound webhooks). The senders that
 * Signalbox knows are rows of it (`senders.ts`); with the scheme `custom`, a trigger brings its own.
 */

const short = z.string().min(1, "is required").max(200, "must be at most 200 characters long");
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,100}$/, "must be a header name: letters, digits and hyphens, up to 100");
const bodyPath = z
  .string()
  .max(200, "must be at most 200 characters long")
  .regex(/^(\*|[\w$-]+)(\.(\*|[\w$-]+)){0,9}$/, "must be names of fields with dots between them, such as data.id");

/**
 * Where a value of a request is. `part` names one of several values of a header, such as `v1` of `t=1,v1=ab`. `*` in a
 * path means each element of a list.
 */
const place = z.union(
  [
    z.strictObject({ header: headerName, part: short.optional() }),
    z.strictObject({ body: bodyPath }),
    z.strictObject({ query: short }),
  ],
  "must be {header}, {body} or {query}",
);

const PLACEHOLDER = /\{([^{}]*)\}/g;
const SIGNED = /^(?:body|timestamp|method|url|params|secret|body_crc32|(?:header|body|query|lines):.+)$/s;
/** The response must not contain the secret: anyone may ask for it. */
const ANSWERED = /^(?:hmac|header|body|query):.+$/s;

/** Adyen's eight fields of the body have 400 characters. */
const TEMPLATE_CHARACTERS = 2_000;

function templateOf(placeholder: RegExp, names: string) {
  return z
    .string()
    .min(1, "is required")
    .max(TEMPLATE_CHARACTERS, `must be at most ${TEMPLATE_CHARACTERS} characters long`)
    .refine(
      (text) => [...text.matchAll(PLACEHOLDER)].every(([, name = ""]) => placeholder.test(name)),
      `may have only these placeholders: ${names}`,
    );
}

/**
 * What is signed. `{body}` is the raw bytes, `{url}` the trigger's address with the query of the request, and `{params}`
 * the fields of a form, sorted by name, each name followed by its value. `{body:PATH}` is a field as the sender wrote it,
 * and empty if the body does not have it; `{lines:PATH,PATH}` is the name and the value of each field that it has, each
 * on a line.
 */
const signedTemplate = templateOf(
  SIGNED,
  "{body}, {timestamp}, {method}, {url}, {params}, {secret}, {body_crc32}, {header:NAME}, {body:PATH}, {query:NAME}, {lines:PATH,PATH}",
);

/** What is answered. `{hmac:PATH}` is the hexadecimal HMAC-SHA256 of a field of the body. */
const answerTemplate = templateOf(ANSWERED, "{header:NAME}, {body:PATH}, {query:NAME}, {hmac:PATH}");

/** A request with which a sender checks an address before it sends events there, and the response that it expects. */
const challenge = z
  .strictObject({
    method: z.enum(["POST", "GET", "HEAD"]).default("POST"),
    /** What the request must contain. `{id}` is the last part of the address; null for any text. */
    when: z.array(z.strictObject({ at: place, equals: short.nullable() })).max(5),
    /** Whether the sender signs this request like every other. */
    is_signed: z.boolean().default(true),
    respond: z.strictObject({
      status: z.int().min(200).max(204).default(200),
      text: answerTemplate.optional(),
      json: z.record(short, z.union([answerTemplate, z.number()])).optional(),
    }),
  })
  .refine(({ is_signed: isSigned, respond }) => isSigned || !JSON.stringify(respond).includes("{hmac:"), {
    path: ["respond"],
    // Anyone could have texts signed, and then sign events.
    message: "may use {hmac:PATH} only if is_signed is true",
  });

/**
 * What is the same when a delivery is sent again: one or more values together, or the whole body. `none` if every delivery
 * is an event of its own.
 */
export const deliveryIdRule = z.union(
  [z.literal("whole_body"), z.literal("none"), z.array(place).max(4)],
  "must be whole_body, none or a list",
);

const common = {
  timestamp: z
    .strictObject({ from: place, unit: z.enum(["seconds", "milliseconds", "iso8601"]).default("seconds") })
    .optional(),
  delivery_id: deliveryIdRule.optional(),
  challenges: z.array(challenge).max(4).default([]),
};

/** A digest of SHA-2, or of what senders still use. */
const hash = z.enum(["sha1", "sha256", "sha384", "sha512"]);

const signature = {
  /** A header may have several, with commas or spaces between them: senders sign twice while a secret rotates. */
  signature: z.union([place, z.array(place).min(1).max(4)], "must be {header}, {body} or {query}"),
  /** What comes before each signature, such as `sha256=`. */
  prefix: short.optional(),
  /** Whether signatures without the prefix count, too. */
  is_prefix_optional: z.boolean().default(false),
  encoding: z.enum(["hex", "base64"]).default("hex"),
  signed: signedTemplate.default("{body}"),
  /** Where the signed request has the hexadecimal SHA-256 of a body that is not a form, if only that is signed. */
  body_digest: place.optional(),
  ...common,
};

const hmac = z.strictObject({
  type: z.literal("hmac"),
  ...signature,
  algorithm: z.enum(["md5", ...hash.options]).default("sha256"),
  /** How the secret is turned into the key. `whsec`: base64 after `whsec_`; without the prefix, the text or its base64. */
  key: z.enum(["utf8", "base64", "hex", "whsec"]).default("utf8"),
});

/**
 * The secret is the sender's public key: the bare key, or its SubjectPublicKeyInfo (RFC 5280). That, PEM and JWK say
 * themselves what they are, so each is read for all three.
 */
const publicKey = z
  .strictObject({
    type: z.literal("public_key"),
    ...signature,
    algorithm: z.enum([
      "ed25519",
      "ecdsa-sha256",
      "ecdsa-sha384",
      "ecdsa-sha512",
      "rsa-sha1",
      "rsa-sha256",
      "rsa-sha512",
      "rsa-pss-sha256",
      "rsa-pss-sha512",
    ]),
    key: z.enum(["raw-hex", "raw-base64", "spki-base64", "pem", "jwk"]),
  })
  .refine(({ algorithm, key }) => algorithm === "ed25519" || !key.startsWith("raw-"), {
    path: ["key"],
    message: "must be spki-base64 for ecdsa-sha256 and all others but ed25519, or pem or jwk",
  });

/** A request that the sender expects to be confirmed by a call of an address in it. */
const confirmation = z.strictObject({
  when: z.array(z.strictObject({ at: place, equals: short })),
  address: place,
  matches: short,
});

/**
 * RSA or ECDSA. The request names the certificate, which must be at an address of the sender. Only rows of the table have
 * it: with patterns of its own, a trigger could have any address called.
 */
const certificate = z.strictObject({
  type: z.literal("certificate"),
  ...signature,
  address: place,
  /** The pattern of the whole address. */
  matches: short,
  /** Where the request names its digest, and what it means; without it, SHA-256. */
  digest: z.strictObject({ at: place, of: z.record(short, hash) }).optional(),
  /** What has the secret as its value, if the signature does not: anyone can have the sender sign events. */
  secret_at: place.optional(),
  confirmation: confirmation.optional(),
});

/** The sender sends the secret itself, as it is or encoded. */
const token = z.strictObject({
  type: z.literal("token"),
  token: place,
  prefix: short.optional(),
  encoding: z.enum(["text", "base64"]).default("text"),
  ...common,
});

/**
 * A JSON Web Token (RFC 7519) that the secret signs, or for an algorithm with public keys, the sender: then the secret is
 * the public key, as PEM or as a JWK or a set of them. It covers the body only through a claim with the digest.
 */
const jwt = z.strictObject({
  type: z.literal("jwt"),
  token: place,
  /** The only one that is accepted, whatever the token says. */
  algorithm: z
    .enum(["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS512", "ES256", "ES384", "EdDSA"])
    .default("HS256"),
  /** The claim with the SHA-256 of the body. */
  body_claim: z.strictObject({ name: short, encoding: z.enum(["hex", "base64"]).default("hex") }).optional(),
  /**
   * What claims must be, such as `aud` and `iss`: with the key of a sender that many receivers share, anyone may have a token.
   * A claim that is a list must contain the value.
   */
  claims: z.record(short, short).optional(),
  /** Whether the token must have been issued (`iat`) within the tolerance. */
  is_issued_recently: z.boolean().default(false),
  ...common,
});

/** What a trigger with the scheme `custom` may say. */
export const customVerification = z.discriminatedUnion(
  "type",
  [hmac, publicKey, token, jwt],
  "must be hmac, public_key, token or jwt",
);

export const webhookVerification = z.discriminatedUnion("type", [hmac, publicKey, certificate, token, jwt]);
export type WebhookVerification = z.output<typeof webhookVerification>;
/** As it is written: what has a default may be left out. */
export type VerificationInput = z.input<typeof webhookVerification>;
export type ValuePlace = z.output<typeof place>;
export type WebhookChallenge = z.output<typeof challenge>;
