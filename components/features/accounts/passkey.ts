import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { PasskeyProof, PasskeyRegistration, PasskeyRequest } from "#lib/contract/account/account";

/** Thrown when the browser returned no passkey; the message is for the user. */
class PasskeyFailure extends Error {}

/** The message for each error of WebAuthn. The browser doesn't say whether a passkey is missing or was refused. */
const MESSAGES: Record<string, string> = {
  NotAllowedError: "No passkey was used. Try again, or choose another method.",
  InvalidStateError: "This device already has a passkey for your account.",
  SecurityError: "Passkeys don't work at this address. Open Signalbox at its public address.",
};

/** Asks the browser to sign with a passkey. */
export async function signWithPasskey({ token, options }: PasskeyRequest): Promise<PasskeyProof> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON }).catch(explain);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    token,
    response: { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } },
  };
}

/** Asks the browser to create a passkey. */
export async function createPasskey({ options }: PasskeyRequest): Promise<PasskeyRegistration> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, type, response } = await startRegistration({ optionsJSON }).catch(explain);
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
}

function explain(error: unknown): never {
  const name = error instanceof Error ? error.name : "";
  throw new PasskeyFailure(MESSAGES[name] ?? "The browser couldn't use a passkey. Try another method.");
}
