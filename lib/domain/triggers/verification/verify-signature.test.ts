import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { type SignatureRule, verifySignature } from "#lib/domain/triggers/verification/verify-signature";

const RULE: Omit<SignatureRule, "secret" | "scheme"> = { algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 };

/** Taken from the vendors' own documentation. Stripe publishes no example, so its formula is written out here. */
const STRIPE_BODY = '{"id":"evt_1","object":"event"}';
const GITHUB_HEX = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
const SLACK_BODY =
  "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

const VECTORS = {
  standard: {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    at: 1614265330,
    body: '{"test": 2432232314}',
    headers: {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
  },
  github: {
    secret: "It's a Secret to Everybody",
    at: 1,
    body: "Hello, World!",
    headers: { "x-hub-signature-256": `sha256=${GITHUB_HEX}` },
  },
  stripe: {
    secret: "whsec_test_secret",
    at: 1492774577,
    body: STRIPE_BODY,
    headers: {
      "stripe-signature": `t=1492774577,v1=${createHmac("sha256", "whsec_test_secret").update(`1492774577.${STRIPE_BODY}`).digest("hex")}`,
    },
  },
  slack: {
    secret: "8f742231b10e8888abcd99yyyzzz85a5",
    at: 1531420618,
    body: SLACK_BODY,
    headers: {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    },
  },
  generic: {
    secret: "It's a Secret to Everybody",
    at: 1,
    body: "Hello, World!",
    headers: { "x-webhook-signature": GITHUB_HEX },
  },
} as const;
type Scheme = keyof typeof VECTORS;
const SCHEMES = Object.keys(VECTORS) as Scheme[];

interface Change {
  secret?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** Seconds between the sender's clock and the arrival. */
  late?: number;
  rule?: Partial<SignatureRule>;
}

function verify(scheme: Scheme, change: Change = {}, as: SignatureRule["scheme"] = scheme) {
  const vector = VECTORS[scheme];
  const rule = { ...RULE, ...change.rule, secret: change.secret ?? vector.secret, scheme: as };
  const headers = { ...vector.headers, ...change.headers };
  const receivedAt = new Date((vector.at + (change.late ?? 0)) * 1_000);
  return verifySignature(rule, deliveryOf({ headers, body: change.body ?? vector.body, receivedAt }));
}

describe.each(SCHEMES)("%s", (scheme) => {
  const { body, secret } = VECTORS[scheme];

  test("accepts the documented example, whether the scheme is chosen or detected", () => {
    expect(verify(scheme)).toEqual({ isGenuine: true, scheme });
    expect(verify(scheme, {}, "auto")).toEqual({ isGenuine: true, scheme });
  });

  test.each<[string, Change]>([
    ["one byte more", { body: `${body} ` }],
    ["one byte less", { body: body.slice(0, -1) }],
    ["another letter case", { body: body.toUpperCase() }],
    ["a byte order mark", { body: `\ufeff${body}` }],
    ["an empty body", { body: "" }],
    ["another secret", { secret: `${secret}x` }],
    ["the secret in capitals", { secret: secret.toUpperCase() }],
  ])("refuses %s", (_name, change) => {
    expect(verify(scheme, change).isGenuine).toBe(false);
  });

  test("refuses each signature that is cut, padded, empty or of another kind", () => {
    const [name = "", value = ""] =
      Object.entries(VECTORS[scheme].headers).find(([key]) => key.endsWith("signature") || key.endsWith("256")) ?? [];
    for (const wrong of [
      "",
      " ",
      "v1,",
      "sha256=",
      "t=1",
      value.slice(0, -2),
      value.replace(/.$/, "!"),
      `${value}00`,
      "0".repeat(64),
      value.replace(/.{8}$/, "00000000"),
    ]) {
      expect(verify(scheme, { headers: { [name]: wrong } }).isGenuine, wrong).toBe(false);
    }
  });

  test("refuses a request without its headers", () => {
    const rule = { ...RULE, secret, scheme };
    const delivery = deliveryOf({ body });
    expect(verifySignature(rule, delivery).isGenuine).toBe(false);
    expect(verifySignature({ ...rule, scheme: "auto" }, delivery)).toEqual({
      isGenuine: false,
      reason: "no signature header",
    });
  });
});

describe.each(["standard", "stripe", "slack"] as const)("the time limit of the %s scheme", (scheme) => {
  test.each([
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ])("%i seconds after signing: genuine is %s", (late, isGenuine) => {
    expect(verify(scheme, { late }).isGenuine).toBe(isGenuine);
  });

  test("uses the configured tolerance", () => {
    expect(verify(scheme, { late: 11, rule: { tolerance_seconds: 10 } }).isGenuine).toBe(false);
    expect(verify(scheme, { late: 10, rule: { tolerance_seconds: 10 } }).isGenuine).toBe(true);
  });
});

describe("near misses", () => {
  test.each(["", "abc", "1614265330.0", "-1614265330", "1614265330, 1614265330", "NaN", "1e9", "9".repeat(40)])(
    "a timestamp of %j is refused",
    (timestamp) => {
      expect(verify("standard", { headers: { "webhook-timestamp": timestamp } }).isGenuine).toBe(false);
      expect(verify("slack", { headers: { "x-slack-request-timestamp": timestamp } }).isGenuine).toBe(false);
    },
  );

  test("a signed time that was changed no longer matches", () => {
    expect(verify("standard", { headers: { "webhook-timestamp": "1614265331" } }).isGenuine).toBe(false);
    expect(verify("standard", { headers: { "webhook-id": "msg_other" } }).isGenuine).toBe(false);
    expect(verify("slack", { headers: { "x-slack-request-timestamp": "1531420619" } }).isGenuine).toBe(false);
    const stripe = VECTORS.stripe.headers["stripe-signature"];
    expect(
      verify("stripe", { headers: { "stripe-signature": stripe.replace("t=1492774577", "t=1492774578") } }).isGenuine,
    ).toBe(false);
    expect(verify("stripe", { headers: { "stripe-signature": `t=1492774578,${stripe}` } }).isGenuine).toBe(false);
  });

  test("among several signatures one match is enough, because secrets rotate", () => {
    const { headers } = VECTORS.standard;
    const signature = headers["webhook-signature"];
    for (const list of [`v1,${"A".repeat(43)}= ${signature}`, `${signature} v1,bm8=`, `v1a,xyz ${signature}`]) {
      expect(verify("standard", { headers: { "webhook-signature": list } }).isGenuine, list).toBe(true);
    }
    const stripe = VECTORS.stripe.headers["stripe-signature"];
    expect(
      verify("stripe", { headers: { "stripe-signature": stripe.replace(",v1=", `,v1=${"0".repeat(64)},v1=`) } })
        .isGenuine,
    ).toBe(true);
  });

  test("only version 1 of a Standard Webhooks signature and of a Stripe signature counts", () => {
    const signature = VECTORS.standard.headers["webhook-signature"];
    expect(verify("standard", { headers: { "webhook-signature": signature.replace("v1,", "v2,") } }).isGenuine).toBe(
      false,
    );
    expect(verify("standard", { headers: { "webhook-signature": signature.slice(3) } }).isGenuine).toBe(false);
    const stripe = VECTORS.stripe.headers["stripe-signature"];
    expect(verify("stripe", { headers: { "stripe-signature": stripe.replace("v1=", "v0=") } }).isGenuine).toBe(false);
  });

  test("a standard secret that decodes to nothing verifies no signature", () => {
    const { at, body, headers } = VECTORS.standard;
    const signed = createHmac("sha256", "").update(`${headers["webhook-id"]}.${at}.${body}`).digest("base64");
    for (const secret of ["whsec_", "whsec_!!!"]) {
      expect(verify("standard", { secret, headers: { "webhook-signature": `v1,${signed}` } }).isGenuine).toBe(false);
    }
  });

  test("GitHub's old SHA-1 header and a bare digest are not enough", () => {
    expect(verify("github", { headers: { "x-hub-signature-256": GITHUB_HEX } }).isGenuine).toBe(false);
    expect(verify("github", { headers: { "x-hub-signature-256": `sha1=${GITHUB_HEX}` } }).isGenuine).toBe(false);
  });

  test("a generic signature may name its algorithm, and follows the configured header, algorithm and encoding", () => {
    expect(verify("generic", { headers: { "x-webhook-signature": `sha256=${GITHUB_HEX}` } }).isGenuine).toBe(true);
    expect(verify("generic", { headers: { "x-webhook-signature": GITHUB_HEX.toUpperCase() } }).isGenuine).toBe(true);
    expect(verify("generic", { headers: { "x-webhook-signature": `sha1=${GITHUB_HEX}` } }).isGenuine).toBe(false);
    const { secret, body } = VECTORS.generic;
    for (const algorithm of ["sha1", "sha256", "sha512"] as const) {
      for (const encoding of ["hex", "base64"] as const) {
        const signature = createHmac(algorithm, secret).update(body).digest(encoding);
        const rule = { algorithm, encoding, header: "X-Signature" };
        expect(verify("generic", { rule, headers: { "x-signature": signature } }).isGenuine).toBe(true);
        expect(verify("generic", { rule, headers: {} }).isGenuine).toBe(false);
      }
    }
  });

  test("a header may have signatures of several algorithms, of which that of the trigger counts", () => {
    const { secret, body } = VECTORS.generic;
    const sha1 = createHmac("sha1", secret).update(body).digest("hex");
    const wrong = "0".repeat(64);
    for (const [value, isGenuine] of [
      [`sha1=${sha1}, sha256=${GITHUB_HEX}`, true],
      [`sha256=${GITHUB_HEX},sha1=${sha1}`, true],
      [`sha256=${GITHUB_HEX}; sha1=${sha1}`, true],
      [`SHA256=${GITHUB_HEX.toUpperCase()}`, true],
      [`sha256=${wrong} sha256=${GITHUB_HEX}`, true],
      [`sha1=${sha1}`, false],
      [`sha1=${GITHUB_HEX}`, false],
      [`sha256=${sha1}`, false],
      [`sha512=${GITHUB_HEX}`, false],
      [`sha256:${GITHUB_HEX}`, false],
      [`0x${GITHUB_HEX}`, false],
    ] as const) {
      expect(verify("generic", { headers: { "x-webhook-signature": value } }).isGenuine, value).toBe(isGenuine);
    }
  });

  test("base64 may be that of URLs, with and without padding, and hexadecimal is no base64 of the same bytes", () => {
    const { secret, body } = VECTORS.generic;
    const rule = { encoding: "base64" } as const;
    const bytes = createHmac("sha256", secret).update(body).digest();
    for (const value of [
      bytes.toString("base64"),
      bytes.toString("base64url"),
      bytes.toString("base64").replace("=", ""),
    ]) {
      expect(verify("generic", { rule, headers: { "x-webhook-signature": value } }).isGenuine, value).toBe(true);
    }
    expect(verify("generic", { rule, headers: { "x-webhook-signature": GITHUB_HEX } }).isGenuine).toBe(false);
  });

  test("a request with two kinds of signature is checked by the one with a timestamp", () => {
    const generic = {
      "x-webhook-signature": createHmac("sha256", VECTORS.slack.secret).update(SLACK_BODY).digest("hex"),
    };
    expect(verify("slack", { headers: generic, late: 10_000 }, "auto").isGenuine).toBe(false);
  });

  test("the chosen scheme is the only one that counts", () => {
    for (const scheme of SCHEMES) {
      for (const other of SCHEMES)
        expect(verify(scheme, {}, other).isGenuine, `${scheme} as ${other}`).toBe(scheme === other);
    }
  });
});
