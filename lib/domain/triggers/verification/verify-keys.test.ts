import { constants, createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { VerificationInput } from "#lib/contract/webhooks/verification";
import { customVerification } from "#lib/contract/webhooks/verification";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { verifySignature } from "#lib/domain/triggers/verification/verify-signature";

const NOW = 1_790_000_000;
const BODY = '{"a":1}';
const RULE = { algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 } as const;

function accepts(
  verification: VerificationInput,
  secret: string,
  { headers = {}, body = BODY }: { headers?: Record<string, string>; body?: string },
): boolean {
  const delivery = deliveryOf({ body, headers, receivedAt: new Date(NOW * 1_000) });
  const rule = { ...RULE, scheme: "custom", verification: customVerification.parse(verification), secret } as const;
  return verifySignature(rule, delivery).isGenuine;
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = (key: KeyObject) => key.export({ format: "pem", type: "spki" }).toString();
const spki = (key: KeyObject) => key.export({ format: "der", type: "spki" }).toString("base64");
const jwk = (key: KeyObject, more: object = {}) => JSON.stringify({ ...key.export({ format: "jwk" }), ...more });

describe("the public key of a sender", () => {
  const rule = (algorithm: string, key = "pem") =>
    ({ type: "public_key", signature: { header: "x-sig" }, encoding: "base64", algorithm, key }) as VerificationInput;
  const signed = (hash: string, options: object = {}, body = BODY) => ({
    headers: { "x-sig": sign(hash, Buffer.from(body), { key: rsa.privateKey, ...options }).toString("base64") },
  });

  test.each<[string, string]>([
    ["PEM", pem(rsa.publicKey)],
    ["PEM with spaces around it", `\n  ${pem(rsa.publicKey)}\n`],
    ["PEM whose line ends a form has removed", pem(rsa.publicKey).replaceAll("\n", "")],
    ["PEM whose line ends became spaces", pem(rsa.publicKey).replaceAll("\n", " ")],
    ["PEM with line ends written out", pem(rsa.publicKey).replaceAll("\n", "\\n")],
    ["PEM with CRLF", pem(rsa.publicKey).replaceAll("\n", "\r\n")],
    ["PEM of PKCS #1", rsa.publicKey.export({ format: "pem", type: "pkcs1" }).toString()],
    ["base64 of SubjectPublicKeyInfo", spki(rsa.publicKey)],
    ["base64 in lines", spki(rsa.publicKey).replace(/(.{64})/g, "$1\n")],
    ["a JWK", jwk(rsa.publicKey)],
    ["a set of JWKs", `{"keys":[${jwk(other.publicKey)},${jwk(rsa.publicKey)}]}`],
    ["two keys, the second of which is used", pem(other.publicKey) + pem(rsa.publicKey)],
    ["two keys in two lines", `${spki(other.publicKey)}\n${spki(rsa.publicKey)}`],
  ])("may be %s", (_name, secret) => {
    for (const key of ["pem", "spki-base64", "jwk"]) {
      expect(accepts(rule("rsa-sha256", key), secret, signed("sha256")), key).toBe(true);
      expect(accepts(rule("rsa-sha256", key), secret, { ...signed("sha256"), body: "{}" }), key).toBe(false);
    }
  });

  test.each<[string, string]>([
    ["another key", pem(other.publicKey)],
    ["a private key", rsa.privateKey.export({ format: "pem", type: "pkcs8" }).toString()],
    ["a private JWK", jwk(rsa.privateKey)],
    ["a key of another kind", pem(p256.publicKey)],
    ["half a key", pem(rsa.publicKey).slice(0, 200)],
    ["no key", "secret"],
    ["JSON that is no key", '{"keys":[1,{"kty":"oct","k":"c2VjcmV0"}]}'],
  ])("refuses everything if it is %s", (_name, secret) => {
    expect(accepts(rule("rsa-sha256"), secret, signed("sha256"))).toBe(false);
  });

  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  test.each<[string, string, object]>([
    ["rsa-sha1", "sha1", {}],
    ["rsa-sha256", "sha256", {}],
    ["rsa-sha512", "sha512", {}],
    ["rsa-pss-sha256", "sha256", pss],
    ["rsa-pss-sha512", "sha512", { ...pss, saltLength: 20 }],
  ])("verifies with %s, and with no other padding or digest", (algorithm, hash, options) => {
    expect(accepts(rule(algorithm), pem(rsa.publicKey), signed(hash, options))).toBe(true);
    for (const wrong of ["rsa-sha1", "rsa-sha256", "rsa-sha512", "rsa-pss-sha256", "rsa-pss-sha512"]) {
      if (wrong === algorithm) continue;
      expect(accepts(rule(wrong), pem(rsa.publicKey), signed(hash, options)), wrong).toBe(false);
    }
  });

  test("verifies ECDSA as DER and as two numbers, on any curve", () => {
    const cases = [
      ["ecdsa-sha256", "sha256", p256],
      ["ecdsa-sha384", "sha384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
      ["ecdsa-sha512", "sha512", generateKeyPairSync("ec", { namedCurve: "P-521" })],
    ] as const;
    for (const [algorithm, hash, { privateKey, publicKey }] of cases) {
      for (const dsaEncoding of ["der", "ieee-p1363"] as const) {
        const signature = sign(hash, Buffer.from(BODY), { key: privateKey, dsaEncoding }).toString("base64");
        const sent = { headers: { "x-sig": signature } };
        expect(accepts(rule(algorithm), pem(publicKey), sent), `${algorithm} ${dsaEncoding}`).toBe(true);
        expect(accepts(rule(algorithm), pem(publicKey), { ...sent, body: "{}" })).toBe(false);
      }
    }
  });
});

describe("a sender that rotates its secret", () => {
  const hex = (secret: string, text = BODY) => createHmac("sha256", secret).update(text).digest("hex");
  const hmac = (more: object = {}) => ({ type: "hmac", signature: { header: "x-sig" }, ...more }) as VerificationInput;

  test.each<[string, object, (good: string, bad: string) => string]>([
    ["each with the prefix", { prefix: "v1=" }, (good, bad) => `v1=${bad},v1=${good}`],
    ["with spaces", { prefix: "v1=" }, (good, bad) => `v1=${bad}, v1=${good}`],
    ["of two versions", { prefix: "v2=" }, (good, bad) => `v1=${bad};v2=${good}`],
    ["without a prefix", {}, (good, bad) => `${good} ${bad}`],
    ["as parts", { signature: { header: "x-sig", part: "v1" } }, (good, bad) => `t=1,v1=${bad},v1=${good}`],
  ])("may send two signatures in a header, %s", (_name, more, write) => {
    expect(accepts(hmac(more), "new", { headers: { "x-sig": write(hex("new"), hex("old")) } })).toBe(true);
    expect(accepts(hmac(more), "other", { headers: { "x-sig": write(hex("new"), hex("old")) } })).toBe(false);
    expect(accepts(hmac(more), "new", { headers: { "x-sig": write(hex("new"), hex("old")) }, body: "{}" })).toBe(false);
  });

  test("may send them in several headers", () => {
    const verification = hmac({ signature: [{ header: "x-first" }, { header: "x-second" }] });
    expect(accepts(verification, "new", { headers: { "x-first": hex("old"), "x-second": hex("new") } })).toBe(true);
    expect(accepts(verification, "new", { headers: { "x-second": hex("new") } })).toBe(true);
    expect(accepts(verification, "new", { headers: { "x-first": hex("old") } })).toBe(false);
  });

  test("is verified with both secrets while the trigger has both, one a line", () => {
    for (const secret of ["old", "new"]) {
      expect(accepts(hmac(), "old\nnew", { headers: { "x-sig": hex(secret) } }), secret).toBe(true);
      expect(
        accepts({ type: "token", token: { header: "x-sig" } }, " old \r\n new", { headers: { "x-sig": secret } }),
      ).toBe(true);
    }
    for (const secret of ["", "\n", "ol", "oldnew"]) {
      expect(accepts(hmac(), "old\nnew", { headers: { "x-sig": hex(secret) } }), secret).toBe(false);
    }
  });

  test("cannot make the server compare more than a few signatures", () => {
    const many = [...Array.from({ length: 50 }, () => hex("old")), hex("new")].join(",");
    expect(accepts(hmac(), "new", { headers: { "x-sig": many } })).toBe(false);
  });

  test.each<[string, string]>([
    ["a line end", "secret\n"],
    ["spaces", "  secret "],
    ["nothing", "secret"],
  ])("may have its secret copied with %s around it", (_name, secret) => {
    expect(accepts(hmac(), secret, { headers: { "x-sig": hex("secret") } })).toBe(true);
  });

  const key = Buffer.from("a key of 22 bytes here");
  const bare = key.toString("base64").replace(/=+$/, "");
  test.each<[string, string]>([
    ["whsec_ and padding", `whsec_${key.toString("base64")}`],
    ["whsec_ without padding", `whsec_${bare}`],
    ["v1,whsec_, as Supabase writes it", `v1,whsec_${bare}`],
    ["two of Supabase", `v1,whsec_c2VjcmV0|v1,whsec_${bare}`],
    ["two in lines", `whsec_c2VjcmV0\nwhsec_${bare}`],
    ["spaces around it", ` v1,whsec_${bare} \n`],
    ["base64 alone", key.toString("base64")],
  ])("a standard secret may have %s", (_name, secret) => {
    const headers = {
      "webhook-id": "1",
      "webhook-timestamp": String(NOW),
      "webhook-signature": `v1,${createHmac("sha256", key).update(`1.${NOW}.${BODY}`).digest("base64")}`,
    };
    for (const scheme of ["standard", "supabase", "auto"] as const) {
      const delivery = deliveryOf({ body: BODY, headers, receivedAt: new Date(NOW * 1_000) });
      expect(verifySignature({ ...RULE, scheme, secret }, delivery).isGenuine, scheme).toBe(true);
      expect(verifySignature({ ...RULE, scheme, secret: "v1,whsec_c2VjcmV0" }, delivery).isGenuine).toBe(false);
    }
  });
});

describe("a token that is sent", () => {
  const rule = { type: "token", token: { body: "value.*.clientState" } } as const;
  const batch = (...states: unknown[]) => ({
    body: JSON.stringify({ value: states.map((clientState) => ({ clientState })) }),
  });

  test("may be in each event of a batch, and must be right in all of them", () => {
    expect(accepts(rule, "s", batch("s"))).toBe(true);
    expect(accepts(rule, "s", batch("s", "s", "s"))).toBe(true);
    for (const states of [[], ["s", "x"], ["x", "s"], ["S"], [null], [["s"]]]) {
      expect(accepts(rule, "s", batch(...states)), JSON.stringify(states)).toBe(false);
    }
  });
});

describe("a JSON Web Token", () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const make = (header: object, claims: object, signer: (text: string) => Buffer) => {
    const text = `${part(header)}.${part(claims)}`;
    return { headers: { authorization: `Bearer ${text}.${signer(text).toString("base64url")}` } };
  };
  const rs256 = (text: string) => sign("sha256", Buffer.from(text), rsa.privateKey);
  const es256 = (text: string) =>
    sign("sha256", Buffer.from(text), { key: p256.privateKey, dsaEncoding: "ieee-p1363" });
  const hs = (hash: string, secret: string) => (text: string) => createHmac(hash, secret).update(text).digest();
  const rule = (more: object) => ({ type: "jwt", token: { header: "authorization" }, ...more }) as VerificationInput;

  test("may be signed with a public key's algorithm", () => {
    expect(accepts(rule({ algorithm: "RS256" }), pem(rsa.publicKey), make({ alg: "RS256" }, {}, rs256))).toBe(true);
    expect(accepts(rule({ algorithm: "ES256" }), jwk(p256.publicKey), make({ alg: "ES256" }, {}, es256))).toBe(true);
    expect(accepts(rule({ algorithm: "HS512" }), "s", make({ alg: "HS512" }, {}, hs("sha512", "s")))).toBe(true);
    expect(accepts(rule({ algorithm: "RS256" }), pem(other.publicKey), make({ alg: "RS256" }, {}, rs256))).toBe(false);
  });

  test("cannot choose its algorithm", () => {
    const secret = pem(rsa.publicKey);
    const none = { headers: { authorization: `${part({ alg: "none" })}.${part({})}.AA` } };
    // The classic forgery: the public key is known to everyone, and used as the secret of an HMAC.
    const confused = make({ alg: "HS256" }, {}, hs("sha256", secret));
    const named = make({ alg: "RS256" }, {}, hs("sha256", secret));
    for (const sent of [none, confused, named]) expect(accepts(rule({ algorithm: "RS256" }), secret, sent)).toBe(false);
    expect(accepts(rule({}), "s", make({ alg: "HS512" }, {}, hs("sha512", "s")))).toBe(false);
    expect(accepts(rule({}), "s", make({ alg: "none" }, {}, hs("sha256", "s")))).toBe(false);
  });

  test("chooses its key in a set", () => {
    const set = `{"keys":[${jwk(other.publicKey, { kid: "a" })},${jwk(rsa.publicKey, { kid: "b" })}]}`;
    const sent = (kid?: string) => make({ alg: "RS256", kid }, {}, rs256);
    expect(accepts(rule({ algorithm: "RS256" }), set, sent("b"))).toBe(true);
    expect(accepts(rule({ algorithm: "RS256" }), set, sent())).toBe(true);
    expect(accepts(rule({ algorithm: "RS256" }), set, sent("a"))).toBe(false);
    expect(accepts(rule({ algorithm: "RS256" }), set, sent("c"))).toBe(false);
  });

  test.each(["hex", "base64"] as const)("covers the body through a claim in %s", (encoding) => {
    const verification = rule({ body_claim: { name: "body", encoding } });
    const digest = (text: string) => createHash("sha256").update(text).digest(encoding);
    const sent = (claims: object) => make({ alg: "HS256" }, claims, hs("sha256", "s"));
    expect(accepts(verification, "s", sent({ body: digest(BODY) }))).toBe(true);
    expect(accepts(verification, "s", { ...sent({ body: digest(BODY) }), body: "{}" })).toBe(false);
    for (const claims of [{}, { body: "" }, { body: 1 }, { body: digest("") }]) {
      expect(accepts(verification, "s", sent(claims)), JSON.stringify(claims)).toBe(false);
    }
  });

  test.each<[object, boolean]>([
    [{ iss: "https://a.example", aud: "us" }, true],
    [{ iss: "https://a.example", aud: ["others", "us"] }, true],
    [{ iss: "https://a.example", aud: "others" }, false],
    [{ iss: "https://a.example", aud: ["others"] }, false],
    [{ iss: "https://a.example", aud: [] }, false],
    [{ iss: "https://a.example", aud: "US" }, false],
    [{ iss: "https://a.example" }, false],
    [{ iss: "https://b.example", aud: "us" }, false],
    [{ iss: null, aud: "us" }, false],
    [{ iss: { "https://a.example": 1 }, aud: "us" }, false],
  ])("must have the claims that the trigger demands: %j is %s", (claims, isGenuine) => {
    const verification = rule({ claims: { iss: "https://a.example", aud: "us" } });
    expect(accepts(verification, "s", make({ alg: "HS256" }, claims, hs("sha256", "s")))).toBe(isGenuine);
  });

  test.each<[object, boolean]>([
    [{ exp: NOW - 59 }, true],
    [{ exp: NOW - 61 }, false],
    [{ exp: String(NOW + 100) }, false],
    [{ exp: null }, false],
    [{ nbf: NOW + 59 }, true],
    [{ nbf: NOW + 61 }, false],
  ])("is refused before and after its time: %j is %s", (claims, isGenuine) => {
    expect(accepts(rule({}), "s", make({ alg: "HS256" }, claims, hs("sha256", "s")))).toBe(isGenuine);
  });

  test("is refused if it demands an extension, whatever it is", () => {
    for (const more of [{ crit: ["exp"] }, { crit: ["b64"], b64: false }, { crit: [] }]) {
      expect(accepts(rule({}), "s", make({ alg: "HS256", ...more }, {}, hs("sha256", "s"))), JSON.stringify(more)).toBe(
        false,
      );
    }
  });

  test.each(["", "Bearer", "Bearer ", "a.b", "a.b.c.d", "..", "Basic YTpi"])(
    "is refused if it is %j",
    (authorization) => {
      expect(accepts(rule({}), "s", { headers: { authorization } })).toBe(false);
    },
  );

  test("must have been issued recently if the sender says so", () => {
    const verification = rule({ is_issued_recently: true });
    const sent = (claims: object) => make({ alg: "HS256" }, claims, hs("sha256", "s"));
    for (const [claims, isGenuine] of [
      [{ iat: NOW }, true],
      [{ iat: NOW - 300 }, true],
      [{ iat: NOW - 301 }, false],
      [{ iat: NOW + 301 }, false],
      [{ iat: String(NOW) }, false],
      [{}, false],
    ] as const) {
      expect(accepts(verification, "s", sent(claims)), JSON.stringify(claims)).toBe(isGenuine);
    }
  });
});
