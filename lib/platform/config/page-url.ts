import { env } from "#lib/platform/config/env";

/** Returns the address of a page of the web application, for texts that send a person there. */
export function pageUrl(path: string): string {
  return `${env().PUBLIC_BASE_URL}${path}`;
}
