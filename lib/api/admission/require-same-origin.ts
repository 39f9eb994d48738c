import { ApiError } from "#lib/contract/error/api-error";
import { env } from "#lib/platform/config/env";

/**
 * Prevents other sites from acting with a user's cookie: the request must have one of our origins and a JSON content
 * type, which a form of another site cannot send. Browsers send Origin with every POST, so a missing Origin is also
 * refused.
 * @throws ApiError FORBIDDEN, BAD_REQUEST
 */
export function requireSameOrigin(request: Request): void {
  const origin = URL.parse(request.headers.get("origin") ?? "");
  const isOurs =
    origin !== null &&
    (origin.origin === new URL(env().PUBLIC_BASE_URL).origin || origin.host === request.headers.get("host"));
  if (!isOurs)
    throw new ApiError(
      "FORBIDDEN",
      "The Origin header is not an origin of this site. Send the request from a page of this site.",
    );
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") throw new ApiError("BAD_REQUEST", "The content-type must be application/json.");
}
