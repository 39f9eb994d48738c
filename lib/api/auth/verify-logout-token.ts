import { errors, jwtVerify } from "jose";
import { z } from "zod";
import { discoverProvider } from "#lib/api/auth/discover-provider";
import type { ProviderLogout } from "#lib/domain/accounts/single-sign-on/end-provider-sessions";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** As for ID tokens: clocks differ. */
const TOLERANCE_SECONDS = 10;
/** Providers send a token at once. A longer time would only make the list of used ones longer. */
const MAX_AGE_SECONDS = 10 * 60;

const claimsSchema = z
  .object({
    iat: z.number(),
    exp: z.number(),
    jti: z.string().min(1).max(1_000),
    sid: z.string().min(1).max(1_000).optional(),
    sub: z.string().min(1).max(1_000).optional(),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    // An ID token has one. It must not pass for a logout token.
    nonce: z.undefined().optional(),
  })
  .refine(({ sid, sub }) => sid !== undefined || sub !== undefined, { path: ["sid"], message: "or sub is missing" });

/** Why a logout token is refused. */
export class LogoutTokenError extends Error {}

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6), all but whether it was used before.
 * @throws LogoutTokenError, or Error if the keys of the provider cannot be read
 */
export async function verifyLogoutToken(setting: OidcProvider, token: string): Promise<ProviderLogout> {
  const claims = claimsSchema.safeParse(await verifySignature(setting, token));
  if (!claims.success) {
    const [issue] = claims.error.issues;
    throw new LogoutTokenError(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { jti, sid = null, sub = null, iat } = claims.data;
  return { jti, sid, sub, expiresAt: new Date((iat + MAX_AGE_SECONDS + 2 * TOLERANCE_SECONDS) * 1_000) };
}

async function verifySignature(setting: OidcProvider, token: string): Promise<unknown> {
  const { findKey } = await discoverProvider(setting);
  try {
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: [setting.id_token_alg],
      issuer: setting.issuer,
      audience: setting.client_id,
      clockTolerance: TOLERANCE_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
      requiredClaims: ["exp", "jti", "events"],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw error;
    throw new LogoutTokenError(error.message, { cause: error });
  }
}
