import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ssoPath } from "#lib/contract/account/sso-path";
import { twoStepPath } from "#lib/contract/account/two-step-path";
import { isJsonObject } from "#lib/support/json";
import { ClientError, needsSso, needsTwoStep } from "@/components/api/client-error";
import { shownWorkspaceId } from "@/components/api/shown-workspace";

/** Only a missing answer or a 5xx is worth a retry; a refusal stays a refusal. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  return !(error instanceof ClientError) || error.code === "NETWORK" || error.status >= 500;
}

/**
 * Opens the page that helps if the session ended while the page was open, or if the workspace requires single
 * sign-on or two-step verification since. That page then returns.
 */
function leaveWhenRefused(error: Error): void {
  const here = window.location.pathname + window.location.search;
  if (needsTwoStep(error)) {
    window.location.assign(twoStepPath({ workspaceId: closedWorkspaceId(error), returnTo: here }));
  } else if (needsSso(error)) {
    window.location.assign(ssoPath({ workspaceId: closedWorkspaceId(error), returnTo: here }));
  } else if (error instanceof ClientError && error.code === "UNAUTHORIZED") {
    window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
  }
}

/** Returns the workspace that refuses the session. It is not always the one that the page shows. */
function closedWorkspaceId(error: Error): string | null {
  const details = error instanceof ClientError ? error.details : null;
  const named = isJsonObject(details) ? details.workspace_id : null;
  return typeof named === "string" ? named : shownWorkspaceId();
}

export function createQueryClient(): QueryClient {
  function onError(error: Error): void {
    leaveWhenRefused(error);
    // The role has changed, so the session is read again and the page offers only what the new role allows.
    if (error instanceof ClientError && error.code === "FORBIDDEN" && !needsTwoStep(error) && !needsSso(error)) {
      void client.invalidateQueries({ queryKey: ["get_session"] });
    }
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: isWorthRetrying, staleTime: 10_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
  return client;
}
