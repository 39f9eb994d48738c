import type { Delivery } from "#lib/domain/triggers/verification/delivery";
import { fetchCertificate } from "#lib/domain/triggers/verification/fetch-certificate";
import { type SignatureRule, type Verdict, verifySignature } from "#lib/domain/triggers/verification/verify-signature";

/**
 * Verifies a delivery, with the certificate that it names if the scheme has one. Most senders sign what they wrote, and a
 * part of them what is on the wire, after its content-encoding. Either is proof.
 * @param delivery without its content-encoding; the same as `received` if it has none
 */
export async function verifyReceived(rule: SignatureRule, delivery: Delivery, received: Delivery): Promise<Verdict> {
  const certificate = await fetchCertificate(rule, delivery);
  const verdict = verifySignature(rule, delivery, certificate);
  if (verdict.isGenuine || delivery === received) return verdict;
  const onWire = verifySignature(rule, received, certificate);
  return onWire.isGenuine ? onWire : verdict;
}
