import { type KeyObject, X509Certificate } from "node:crypto";
import { LIMITS } from "#lib/contract/limits";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { type Delivery, valuesOf } from "#lib/domain/triggers/verification/delivery";
import { isRecent } from "#lib/domain/triggers/verification/is-recent";
import { chosenVerification, type WebhookRule } from "#lib/domain/triggers/verification/webhook-rule";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { remember } from "#lib/support/sized-cache";

const TIMEOUT_MS = 5_000;

/** The sender's certificates by address. Their validity is checked at each use. */
const certificates = new Map<string, X509Certificate>();
/** What is being fetched, by address. */
const fetching = new Map<string, Promise<X509Certificate>>();

/**
 * Returns the public key of the certificate that a delivery names. Only an address of the sender is called, and that over
 * https, which is what makes the certificate trustworthy. The caller has proved nothing, so few addresses are called at a
 * time, each once, and none for an old delivery. Certificates that are known cost no call.
 * @returns null if the scheme has no certificate, or it is elsewhere, cannot be fetched now, or is not valid now
 */
export async function fetchCertificate(
  rule: WebhookRule,
  delivery: Delivery,
  send: SendRequest = (request) => outgoingSend()(request),
): Promise<KeyObject | null> {
  const verification = chosenVerification(rule);
  if (verification?.type !== "certificate") return null;
  const values = valuesOf(delivery);
  const url = values.one(verification.address);
  if (url === null || !new RegExp(`^${verification.matches}$`).test(url)) return null;
  if (!isRecent(verification, rule.tolerance_seconds, values)) return null;
  const certificate = certificates.get(url) ?? (await load(url, send).catch(() => null));
  const now = delivery.receivedAt;
  const isValid = certificate !== null && certificate.validFromDate <= now && now <= certificate.validToDate;
  return isValid ? certificate.publicKey : null;
}

function load(url: string, send: SendRequest): Promise<X509Certificate> {
  const known = fetching.get(url);
  if (known !== undefined) return known;
  if (fetching.size >= LIMITS.certificatesFetched) return Promise.reject(new Error("too many certificates at a time"));
  const started = request(url, send).finally(() => fetching.delete(url));
  fetching.set(url, started);
  return started;
}

async function request(url: string, send: SendRequest): Promise<X509Certificate> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { status, body } = await send({ method: "GET", url, headers: {}, signal, redirectsOnHost: 0 });
  if (status !== 200 || body.byteLength > LIMITS.certificateBytes) throw new Error(`no certificate at ${url}`);
  const certificate = new X509Certificate(body);
  remember(certificates, url, certificate, LIMITS.certificatesKept);
  return certificate;
}
