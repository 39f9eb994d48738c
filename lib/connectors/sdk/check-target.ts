import { isIP } from "node:net";
import { isAddressAllowed, isHostListed, type OutboundPolicy } from "#lib/connectors/sdk/outbound-policy";
import { StepError } from "#lib/contract/run/step-error";

/**
 * Parses a URL and rejects what the guard can reject before the name is resolved: other schemes, credentials in the
 * URL, literal forbidden addresses (undici does not resolve literals, so no later check would see them) and the ports
 * of other services.
 * @throws StepError VALIDATION_ERROR
 */
export function checkTarget(policy: OutboundPolicy, raw: string): URL {
  const url = URL.parse(raw);
  if (!url) throw new StepError("VALIDATION_ERROR", `url: ${JSON.stringify(raw.slice(0, 200))} is not an absolute URL`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new StepError("address_not_allowed", `url: only http and https are supported, not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new StepError("VALIDATION_ERROR", "url: put the credentials into a header, not into the URL");
  }
  const hostname = bareHostname(url);
  if (isIP(hostname) && !isAddressAllowed(policy, hostname, hostname)) throw blocked(hostname, hostname);
  const port = portOf(url);
  if (port < 1024 && port !== 80 && port !== 443 && !isHostListed(policy, hostname)) {
    throw new StepError(
      "address_not_allowed",
      `url: port ${port} is not open to outgoing calls. An operator can open it by adding ${hostname} to OUTBOUND_ALLOW.`,
    );
  }
  return url;
}

/** Returns the port that a URL leads to. */
export function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80));
}

/** Builds the error for a port of the instance itself. */
export function ownEndpoint(hostname: string, port: number): StepError {
  return new StepError(
    "address_not_allowed",
    `url: port ${port} of ${hostname} belongs to this instance, and workflows can't call it. ` +
      "To start another workflow, use a Run an action step.",
  );
}

/** Returns the host without the brackets of an IPv6 address. */
export function bareHostname(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Builds the error for a forbidden address, with the reason and how an operator can allow it. */
export function blocked(hostname: string, address: string): StepError {
  const where = hostname === address ? address : `${hostname} (${address})`;
  return new StepError(
    "address_not_allowed",
    `url: ${where} is not a public address, and outgoing calls can reach only public addresses. ` +
      `An operator can open it by adding ${hostname} to OUTBOUND_ALLOW.`,
  );
}
