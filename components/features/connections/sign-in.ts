import type { ConnectorKindObject } from "#lib/contract/connection";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { toast } from "@/components/ui/toast";

/** Where a person comes back to after signing in at a service: the page they are on, without what an earlier one left. */
export function returnPath(): string {
  const { pathname, search } = window.location;
  const query = new URLSearchParams(search);
  for (const name of ["new", "signed_in", "sign_in_failed"]) query.delete(name);
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/** The service as a button names it; a generic connector knows none. */
export function signInPlace(kind: ConnectorKindObject | undefined): string {
  return kind === undefined || kind.connector === "http" ? "the service" : kind.name;
}

/** Signs a connection in again, with what it holds: the browser goes to the service. What stands in the way is said. */
export async function signInAgain(connectionId: string): Promise<void> {
  try {
    const input = { connection_id: connectionId, return_to: returnPath() };
    const { authorize_url: url } = await callOperation("start_authorization", input);
    window.location.assign(url);
  } catch (error) {
    toast.error(error instanceof ClientError ? error.message : "The sign-in could not be begun. Try again.");
  }
}

const REASONS: Record<string, string> = {
  expired: "This sign-in was not begun here, was finished already, or took longer than ten minutes. Begin again.",
  signed_out: "You were signed out here meanwhile. Begin again.",
  not_allowed: "Editors and above connect services.",
  access_denied: "The service was told not to give access.",
  name_taken: "Another connection has this name by now. Begin again with another.",
  exchange_failed:
    "The service gave no token. Check client ID and secret, and the address it was given to send people back to.",
  refused: "The service refused.",
};

/** Why a sign-in failed, for a person. */
export function signInFailure(reason: string): string {
  return REASONS[reason] ?? `The service refused: ${reason}.`;
}
