import { Secret, TOTP } from "otpauth";

/** RFC 6238 with the values that every authenticator app supports. Most apps ignore other ones without a warning. */
const SETTINGS = { issuer: "Signalbox", algorithm: "SHA1", digits: 6, period: 30 } as const;
/** Steps before and after the current one whose codes are accepted: clocks differ, and typing takes time. */
const WINDOW = 1;
/** RFC 4226, 4: as long as the hash. */
const SECRET_BYTES = 20;

/** The context in which the secret of a person is sealed. */
export function totpContext(userId: string): string {
  return `user_totp:${userId}`;
}

/** Returns a new secret in base32, as people type it into an app. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the address that an authenticator app reads from the QR code. */
export function totpUri(secret: string, email: string): string {
  return totp(secret, email).toString();
}

/** Returns the time step that the code belongs to, or null for a wrong code. */
export function matchTotpStep(secret: string, code: string, nowMs: number): number | null {
  const delta = totp(secret).validate({ token: code.replace(/\s/g, ""), timestamp: nowMs, window: WINDOW });
  return delta === null ? null : Math.floor(nowMs / 1_000 / SETTINGS.period) + delta;
}

function totp(secret: string, label = ""): TOTP {
  return new TOTP({ ...SETTINGS, label, secret: Secret.fromBase32(secret) });
}
