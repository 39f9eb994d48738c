import type { KeyCaller } from "#lib/api/operations/define/caller";
import { ApiError } from "#lib/contract/api-error";
import { countRequest } from "#lib/domain/keys/count-request";
import { verifyKey } from "#lib/domain/keys/verify-key";
import { type RateWindow, takeRequest } from "#lib/domain/limits/take-request";

interface Admission {
  caller: KeyCaller;
  window: RateWindow;
}

/**
 * One text for every 401 except the revoked key's, so that it does not reveal which keys exist (decisions, API keys).
 */
const NOT_VALID = "Missing or invalid API key. Send it as: Authorization: Bearer <API_KEY>";

/**
 * Authenticates the Bearer key of a request and counts the request against the key's window. REST and MCP share this
 * function and so the budget. If the window is spent, `window.isAllowed` is false and each surface answers 429 in its
 * own form. Takes one round trip once the process knows the key's identity.
 * @throws ApiError UNAUTHORIZED (contract, API keys); a refused key spends nothing
 */
export async function admit(headers: Headers): Promise<Admission> {
  const rawKey = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  const keyId = rawKey === undefined ? null : await verifyKey(rawKey);
  if (keyId === null) throw new ApiError("UNAUTHORIZED", NOT_VALID);
  const taken = await takeRequest(keyId);
  if (taken.state !== "active") countRequest(keyId, "", 401);
  else if (!taken.window.isAllowed) countRequest(keyId, "", 429);
  if (taken.state === "revoked") throw new ApiError("api_key_revoked", "API key revoked");
  if (taken.state !== "active") throw new ApiError("UNAUTHORIZED", NOT_VALID);
  return { caller: { kind: "api_key", keyId, ...taken.key }, window: taken.window };
}
