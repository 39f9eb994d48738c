import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { PasskeyProof, PasskeyRegistration, PasskeyRequest } from "#lib/contract/account/account";
import { beginTotp } from "#lib/domain/accounts/two-step/begin-totp";
import { confirmTotp } from "#lib/domain/accounts/two-step/confirm-totp";
import { passkeyParty } from "#lib/domain/accounts/two-step/passkey-party";
import { db } from "#lib/platform/db/pool";

/** For tests: returns the code that an authenticator app shows at a time. */
export function codeAt(secret: string, nowMs = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });
}

/** For tests: sets up an authenticator app, and deletes the record that its first code was used. */
export async function enrollTotp(userId: string, sessionId: string) {
  const { secret } = await beginTotp({ userId, sessionId });
  const actor = { type: "user" as const, id: userId, name: null };
  const codes = await confirmTotp({ userId, actor, sessionId, code: codeAt(secret) });
  await db().query("update user_totp set last_step = null where user_id = $1", [userId]);
  return { secret, codes: codes ?? [] };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** For tests: an authenticator with one passkey (WebAuthn Level 3, 6.1 and 6.5), ES256, no attestation. */
export class TestAuthenticator {
  readonly id = randomBytes(32);
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  counter = 0;
  /** The site that is open in the browser. */
  origin = passkeyParty().origin;
  isUserVerified = true;

  create(request: PasskeyRequest): PasskeyRegistration {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const key = Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y, "base64url"),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const data = Buffer.concat([this.#data(HAS_KEY), Buffer.alloc(16), length, this.id, key]);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.length);
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const head = Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex");
    const attestationObject = Buffer.concat([head, Buffer.from([0x59]), size, data]).toString("base64url");
    const clientDataJSON = this.#client("webauthn.create", request).toString("base64url");
    return { ...this.#credential(), response: { attestationObject, clientDataJSON, transports: ["internal"] } };
  }

  sign(request: PasskeyRequest): PasskeyProof {
    const client = this.#client("webauthn.get", request);
    const data = this.#data(0);
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    const response = {
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.#keys.privateKey).toString("base64url"),
    };
    return { token: request.token, response: { ...this.#credential(), response } };
  }

  #credential() {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key" as const };
  }

  #client(type: string, { options }: PasskeyRequest): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: options.challenge, origin: this.origin }));
  }

  #data(flags: number): Buffer {
    this.counter += 1;
    const head = Buffer.alloc(5);
    head.writeUInt8(flags | PRESENT | (this.isUserVerified ? VERIFIED : 0));
    head.writeUInt32BE(this.counter, 1);
    return Buffer.concat([createHash("sha256").update(new URL(this.origin).hostname).digest(), head]);
  }
}
