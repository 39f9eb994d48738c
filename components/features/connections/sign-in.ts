import type { ConnectorKindObject } from "#lib/contract/connection/connection";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { toast } from "@/components/ui/toast";

/**
 * Returns the path to return to after signing in at a service: the current page, without the result of an earlier
 * sign-in.
 */
export function returnPath(): string {
  const { pathname, search } = window.location;
  const query = new URLSearchParams(search);
  for (const name of ["new", "signed_in", "sign_in_failed"]) query.delete(name);
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/** Returns the service's name for a button; a generic connector has none. */
export function signInPlace(kind: ConnectorKindObject | undefined): string {
  return kind === undefined || kind.connector === "http" ? "the service" : kind.name;
}

/**
 * Signs in again with the connection's stored settings: the browser opens the service. Shows the error if that fails.
 */
export async function signInAgain(connectionId: string): Promise<void> {
  try {
    const input = { connection_id: connectionId, return_to: returnPath() };
    const { authorize_url: url } = await callOperation("start_authorization", input);
    window.location.assign(url);
  } catch (error) {
    toast.error(error instanceof ClientError ? error.message : "Couldn't start the sign-in. Try again.");
  }
}

const REASONS: Record<string, string> = {
  expired: "This sign-in wasn't started here, was already completed, or took longer than ten minutes. Start again.",
  signed_out: "You were signed out of Signalbox in the meantime. Start again.",
  sso_required: "You had to sign in through your company's provider first. Start again.",
  two_step_required: "You had to set up two-step verification first. Start again.",
  not_allowed: "You need the editor role to connect a service.",
  access_denied: "Access was denied at the service.",
  name_taken: "Another connection now has this name. Start again with a different name.",
  exchange_failed:
    "The service returned no token. Check the client ID, the client secret and the redirect URL registered at the service.",
  refused: "The service refused the sign-in.",
};

/** Returns the reason why a sign-in failed, as a sentence. */
export function signInFailure(reason: string): string {
  return REASONS[reason] ?? `The service refused the sign-in: ${reason}.`;
}
