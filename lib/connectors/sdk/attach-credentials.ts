import { StepError } from "#lib/contract/run/step-error";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";
import { isOriginAllowed } from "#lib/support/urls/allowed-origins";

/**
 * Puts a connection's credentials into the request of one hop, if its origin is allowed. The rule is in the client and
 * not in the operations, so no path can bypass it. A redirect to another origin is followed without credentials.
 * @throws StepError VALIDATION_ERROR when the workflow itself asks to send them elsewhere
 */
export function attachCredentials(outgoing: OutgoingRequest, url: URL, isRedirect: boolean): OutgoingRequest {
  const { credentials } = outgoing;
  if (!credentials) return outgoing;
  if (!isOriginAllowed(credentials.origins, url)) {
    if (isRedirect) return outgoing;
    const allowed = credentials.origins.join(", ");
    throw new StepError(
      "address_not_allowed",
      `url: the connection's credentials go to ${allowed}, not to ${url.origin}`,
    );
  }
  const signed = credentials.sign({ ...outgoing, url: url.href });
  if (new URL(signed.url).origin !== url.origin) throw new Error("Signing moved a request to another origin.");
  return signed;
}
