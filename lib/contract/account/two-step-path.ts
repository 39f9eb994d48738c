import { type ClosedErrand, closedPath } from "#lib/contract/account/sso-path";

/** Returns the path of the page where a person sets up the two-step verification that a workspace requires. */
export function twoStepPath(errand: ClosedErrand): string {
  return closedPath("/two-step", errand);
}
