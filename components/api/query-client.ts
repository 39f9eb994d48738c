import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ClientError } from "@/components/api/client-error";

/** Only a missing answer or a 5xx is worth a retry; a refusal stays a refusal. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  return !(error instanceof ClientError) || error.code === "NETWORK" || error.status >= 500;
}

/** If the session ended while the page was open, opens the sign-in page and then returns. */
function leaveWhenSignedOut(error: Error): void {
  if (!(error instanceof ClientError) || error.code !== "UNAUTHORIZED") return;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}

export function createQueryClient(): QueryClient {
  function onError(error: Error): void {
    leaveWhenSignedOut(error);
    // The role has changed, so the session is read again and the page offers only what the new role allows.
    if (error instanceof ClientError && error.code === "FORBIDDEN") {
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
