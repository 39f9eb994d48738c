import { describe, expect, test } from "vitest";
import { WEBHOOK_SCHEMES } from "#lib/contract/trigger/trigger";
import { WEBHOOK_SENDERS } from "#lib/contract/webhooks/senders";
import { customVerification } from "#lib/contract/webhooks/verification";
import { triggerConfig } from "#lib/core/steps/trigger/trigger-data";

const custom = (verification: unknown) => ({ kind: "webhook", scheme: "custom", secret: "s", verification });

/** Returns what is wrong as `path: message`. */
function problems(data: unknown): string[] {
  const { error } = triggerConfig.safeParse(data);
  return error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
}

describe("a definition from before senders were data", () => {
  test.each(["auto", "standard", "github", "stripe", "slack", "generic"])(
    "with the scheme %s means the same",
    (scheme) => {
      const rest = {
        secret: "sealed:abc",
        header: "x-own",
        algorithm: "sha512",
        encoding: "base64",
        tolerance_seconds: 60,
      };
      expect(triggerConfig.parse({ kind: "webhook", scheme, ...rest })).toEqual({ kind: "webhook", scheme, ...rest });
    },
  );

  test("has the same defaults, and null for what is not set", () => {
    const defaults = { scheme: "auto", algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 };
    expect(triggerConfig.parse({ kind: "webhook" })).toEqual({ kind: "webhook", ...defaults });
    const unset = { secret: null, header: null };
    expect(triggerConfig.parse({ kind: "webhook", ...unset })).toEqual({ kind: "webhook", ...defaults, ...unset });
  });

  test("may have fields that no one reads, also one named verification", () => {
    const parsed = triggerConfig.parse({ kind: "webhook", scheme: "github", note: 1, verification: "{" });
    expect(parsed).not.toHaveProperty("verification");
    expect(parsed).not.toHaveProperty("note");
  });
});

test("every scheme can be chosen, and another one is refused with their names", () => {
  for (const scheme of WEBHOOK_SCHEMES) {
    const verification = scheme === "custom" ? { verification: { type: "token", token: { header: "x" } } } : {};
    expect(problems({ kind: "webhook", scheme, ...verification }), scheme).toEqual([]);
  }
  expect(problems({ kind: "webhook", scheme: "hotmail" })).toEqual([
    `scheme: must be one of ${WEBHOOK_SCHEMES.join(", ")}`,
  ]);
});

describe("the description of a sender", () => {
  test("can say what the rows of the known senders say, unless it names a certificate", () => {
    for (const [name, { verification }] of Object.entries(WEBHOOK_SENDERS)) {
      expect(customVerification.safeParse(verification).success, name).toBe(verification.type !== "certificate");
    }
  });

  test.each<[string, unknown, string]>([
    ["no description", undefined, "verification: "],
    ["a text", "{", "verification: "],
    ["another type", { type: "oauth" }, "verification.type: must be hmac, public_key, token or jwt"],
    ["a certificate", { type: "certificate" }, "verification.type: must be hmac, public_key, token or jwt"],
    ["no place of the signature", { type: "hmac" }, "verification.signature: must be {header}, {body} or {query}"],
    [
      "a place of no kind",
      { type: "token", token: { cookie: "x" } },
      "verification.token: must be {header}, {body} or {query}",
    ],
    [
      "a placeholder that does not exist",
      { type: "hmac", signature: { header: "x" }, signed: "{boddy}" },
      "verification.signed: may have only these placeholders: {body}",
    ],
    [
      "the secret in a response",
      { type: "token", token: { header: "x" }, challenges: [{ when: [], respond: { text: "{secret}" } }] },
      "verification.challenges.0.respond.text: may have only these placeholders: {header:NAME}",
    ],
    [
      "an HMAC for anyone who asks",
      {
        type: "hmac",
        signature: { header: "x" },
        challenges: [{ when: [], is_signed: false, respond: { json: { a: "{hmac:a}" } } }],
      },
      "verification.challenges.0.respond: may use {hmac:PATH} only if is_signed is true",
    ],
    [
      "a bare key of a curve that has no bare keys",
      { type: "public_key", signature: { header: "x" }, algorithm: "ecdsa-sha256", key: "raw-hex" },
      "verification.key: must be spki-base64 for ecdsa-sha256",
    ],
    [
      "a status that is an error",
      { type: "token", token: { header: "x" }, challenges: [{ when: [], respond: { status: 302 } }] },
      "verification.challenges.0.respond.status: ",
    ],
    [
      "a handshake",
      { type: "token", token: { header: "x" }, handshake: { secret: { header: "x" } } },
      "verification: ",
    ],
    ["a path that is no path", { type: "jwt", token: { body: "a[0]" } }, "verification.token"],
  ])("is refused with the name of the field: %s", (_name, verification, problem) => {
    const found = problems(custom(verification));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(problem);
  });
});
