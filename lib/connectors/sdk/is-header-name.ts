import { validateHeaderName } from "node:http";

/** Returns whether a header can have this name (RFC 9110, section 5.1). */
export function isHeaderName(name: string): boolean {
  try {
    validateHeaderName(name);
    return true;
  } catch {
    return false;
  }
}
