import { createHmac, timingSafeEqual } from "node:crypto";
import { isJsonObject } from "#lib/support/json";

/** Clocks differ. */
const LEEWAY_SECONDS = 60;

/** Verifies a JSON Web Token with HS256 and its times (RFC 7519). Every other algorithm is refused. */
export function verifyJwt(token: string, secret: string, now: Date): boolean {
  const [header, payload, signature, ...rest] = token.split(".");
  if (!header || !payload || !signature || rest.length > 0 || secret === "") return false;
  const expected = createHmac("sha256", secret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  const claims = decodePart(payload);
  if (decodePart(header)?.alg !== "HS256" || claims === null) return false;
  const seconds = now.getTime() / 1_000;
  const { exp, nbf } = claims;
  if (exp !== undefined && !(typeof exp === "number" && exp > seconds - LEEWAY_SECONDS)) return false;
  return nbf === undefined || (typeof nbf === "number" && nbf <= seconds + LEEWAY_SECONDS);
}

function decodePart(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
