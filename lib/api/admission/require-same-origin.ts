import { ApiError } from "#lib/contract/api-error";
import { env } from "#lib/platform/config/env";

/**
 * Keeps other sites from acting with a person's cookie: the request must say that it comes from a page of ours, and
 * carry JSON, which no form of another site can send. Browsers put Origin on every POST, so none is a refusal too.
 * @throws ApiError FORBIDDEN, BAD_REQUEST
 */
export function requireSameOrigin(request: Request): void {
  const origin = URL.parse(request.headers.get("origin") ?? "");
  const isOurs =
    origin !== null &&
    (origin.origin === new URL(env().PUBLIC_BASE_URL).origin || origin.host === request.headers.get("host"));
  if (!isOurs) throw new ApiError("FORBIDDEN", "The request does not come from a page of this site (Origin).");
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") throw new ApiError("BAD_REQUEST", "The content-type must be application/json.");
}
