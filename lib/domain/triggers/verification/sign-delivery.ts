import { createHash, createHmac } from "node:crypto";
import type { ValuePlace, WebhookVerification } from "#lib/contract/webhooks/verification";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { describeLongNumber, readTypedJson } from "#lib/core/input/read-typed-json";
import { type Delivery, valuesOf } from "#lib/domain/triggers/verification/delivery";
import { fillTemplate, placesIn } from "#lib/domain/triggers/verification/fill-template";
import { firstSecret } from "#lib/domain/triggers/verification/list-secrets";
import { hmacKeys, type SignatureRule, signaturePlaces } from "#lib/domain/triggers/verification/verify-signature";
import { chosenVerification } from "#lib/domain/triggers/verification/webhook-rule";
import { uuidv7 } from "#lib/support/ids";
import { isJsonObject, setOwn } from "#lib/support/json";

/** The parts of a request that can prove who sends it. */
export interface SignedDelivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

type Hmac = Extract<WebhookVerification, { type: "hmac" }>;

/** Why a delivery cannot be signed here. */
export class CannotSign extends Error {}

/**
 * Signs a delivery as the holder of the secret would now: the opposite of what verifySignature checks, from the same data.
 * @throws CannotSign if the sender has a key that Signalbox does not have, or signs in a body of another form
 */
export function signDelivery(rule: SignatureRule, unsigned: SignedDelivery, now: Date): SignedDelivery {
  const verification = chosenVerification(rule.scheme === "auto" ? { ...rule, scheme: "standard" } : rule);
  const ids = rule.delivery_id ?? verification?.delivery_id ?? [];
  const named = typeof ids === "string" ? [] : ids.filter((place) => "header" in place);
  // Without an id, the same sample would be taken for a repetition of the last one.
  const headers = named.length > 0 || typeof ids === "string" ? named : [{ header: "webhook-id" }];
  return withIds(prove(verification, firstSecret(rule.secret), unsigned, now), headers);
}

function prove(
  verification: WebhookVerification | null,
  secret: string,
  request: SignedDelivery,
  now: Date,
): SignedDelivery {
  switch (verification?.type) {
    case "hmac":
      return signHmac(verification, secret, request, now);
    case "token": {
      const { token, prefix = "", encoding } = verification;
      return withValue(request, token, prefix + (encoding === "text" ? secret : encodeBase64(secret)));
    }
    case "jwt":
      if (!verification.algorithm.startsWith("HS")) throw cannotSign();
      return withValue(request, verification.token, makeJwt(verification, { secret, now, body: request.body }));
    default:
      throw cannotSign();
  }
}

function cannotSign(): CannotSign {
  return new CannotSign("Only the sender can sign its events, with a private key. Send an event from there.");
}

function signHmac(verification: Hmac, secret: string, request: SignedDelivery, now: Date): SignedDelivery {
  const { timestamp, body_digest: digest, signed, encoding, prefix = "", algorithm } = verification;
  const time = timestamp ? timeIn(timestamp.unit, now) : null;
  const timed = timestamp && time !== null ? withValue(request, timestamp.from, time) : request;
  const named = withIds(timed, placesIn(signed));
  const hash = createHash("sha256").update(named.body).digest("hex");
  const ready = digest && named.body !== "" ? withValue(named, digest, hash) : named;
  const [key] = hmacKeys(verification.key, secret);
  const parts = fillTemplate(signed, { values: valuesOf(deliveryOf(ready, now)), secret, timestamp: time });
  if (key === undefined)
    throw new CannotSign("The secret does not have the format of this sender's secrets. Set it again.");
  if (parts === null) {
    throw new CannotSign(
      "The request does not have exactly one value for each placeholder in `signed`. Change the body or the trigger's verification.",
    );
  }
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  const [place] = signaturePlaces(verification);
  return place ? withValue(ready, place, prefix + hmac.digest(encoding)) : ready;
}

function deliveryOf({ url, headers, body }: SignedDelivery, receivedAt: Date): Delivery {
  return { method: "POST", url, headers: new Headers(headers), body: Buffer.from(body), receivedAt };
}

/** Sets an id of its own at each place that has no value. */
function withIds(request: SignedDelivery, places: ValuePlace[]): SignedDelivery {
  return places.reduce<SignedDelivery>((made, place) => {
    const isFree = valuesOf(deliveryOf(made, new Date(0))).all(place).length === 0;
    return isFree ? withValue(made, place, uuidv7()) : made;
  }, request);
}

/** Sets the value at a place, next to what else is in its header. */
function withValue(request: SignedDelivery, place: ValuePlace, value: string): SignedDelivery {
  if ("query" in place) {
    const url = new URL(request.url);
    url.searchParams.append(place.query, value);
    return { ...request, url: url.href };
  }
  if ("body" in place) return { ...request, body: bodyWithValue(request.body, place.body, value) };
  const { header, part } = place;
  const before = request.headers[header];
  const text = part === undefined ? value : `${part}=${value}`;
  return { ...request, headers: { ...request.headers, [header]: before === undefined ? text : `${before},${text}` } };
}

function bodyWithValue(body: string, path: string, value: string): string {
  const root = parseBody(body);
  const keys = path.split(".");
  let owner = root;
  for (const key of keys.slice(0, -1)) {
    const next = Object.hasOwn(owner, key) ? owner[key] : {};
    if (!isJsonObject(next))
      throw new CannotSign(
        `Signing writes to ${path} in the body, but a field on that path is not an object. Remove that field.`,
      );
    setOwn(owner, key, next);
    owner = next;
  }
  setOwn(owner, keys.at(-1) ?? "", value);
  return JSON.stringify(root);
}

function parseBody(body: string): JsonObject {
  const { value } = readTypedJson(body);
  if (isJsonObject(value)) return value;
  const reason = describeLongNumber(body) ?? "";
  throw new CannotSign(`Signing writes to a field of the body, so the body must be a JSON object. ${reason}`.trim());
}

const encodeBase64 = (text: string) => Buffer.from(text).toString("base64");

const MINUTES = 5;

function makeJwt(
  { algorithm, body_claim: claim }: Extract<WebhookVerification, { type: "jwt" }>,
  { secret, now, body }: { secret: string; now: Date; body: string },
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const iat = Math.floor(now.getTime() / 1_000);
  const digest = claim && { [claim.name]: createHash("sha256").update(body).digest(claim.encoding) };
  const text = `${part({ alg: algorithm, typ: "JWT" })}.${part({ iat, exp: iat + MINUTES * 60, ...digest })}`;
  return `${text}.${createHmac(`sha${algorithm.slice(2)}`, secret)
    .update(text)
    .digest("base64url")}`;
}

function timeIn(unit: NonNullable<Hmac["timestamp"]>["unit"], now: Date): string {
  if (unit === "iso8601") return now.toISOString();
  return String(unit === "seconds" ? Math.floor(now.getTime() / 1_000) : now.getTime());
}
