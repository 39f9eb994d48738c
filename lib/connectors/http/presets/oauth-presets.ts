import { BUSINESS_PRESETS } from "#lib/connectors/http/presets/business-presets";
import type { OAuthPreset } from "#lib/connectors/http/presets/oauth-preset";
import { WORK_PRESETS } from "#lib/connectors/http/presets/work-presets";
import { isOriginAllowed, parseAllowedOrigin } from "#lib/support/urls/allowed-origins";

/**
 * The services that a form offers. Services whose addresses contain the name of an account are absent, and so are those
 * that take a token otherwise than as a bearer token or renew it at another address.
 */
export const OAUTH_PRESETS: readonly OAuthPreset[] = [...WORK_PRESETS, ...BUSINESS_PRESETS].sort((a, b) =>
  a.label.localeCompare(b.label, "en"),
);

/** Finds the service whose API has this address, or whose sign-in uses one of these addresses. */
export function findPreset(apiUrl: string | null, signInUrls: readonly string[]): OAuthPreset | null {
  return (
    OAUTH_PRESETS.find(({ hosts }) => apiUrl !== null && isOneOf(hosts, new URL(apiUrl))) ??
    OAUTH_PRESETS.find(({ authorizeUrl, tokenUrl }) =>
      signInUrls.some((url) => url === authorizeUrl || url === tokenUrl),
    ) ??
    null
  );
}

function isOneOf(hosts: readonly string[], url: URL): boolean {
  return isOriginAllowed(
    hosts.map(parseAllowedOrigin).filter((origin) => origin !== null),
    url,
  );
}
