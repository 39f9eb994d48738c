import { outgoingSend } from "#lib/connections/outgoing";
import { signedSend } from "#lib/connections/signed-send";
import { type Credentials, getAuth, serviceSettings, usableValues } from "#lib/connections/stored-credentials";
import type { ServiceContext } from "#lib/connectors/define-connector";
import type { ConnectionStatus, ConnectionTest } from "#lib/contract/connection";
import { StepError } from "#lib/contract/step-error";

/** A person waits for the answer. */
const TEST_TIMEOUT_MS = 10_000;

export interface TriedCredentials extends ConnectionTest {
  /** What the connection is after this; null is no reason to change it. */
  status: ConnectionStatus | null;
}

/** Asks the other side whether it accepts the credentials. What goes wrong there is an answer, not an error of ours. */
export async function tryCredentials(connector: string, credentials: Credentials): Promise<TriedCredentials> {
  const auth = getAuth(connector, credentials.auth);
  try {
    const sentence = await auth.test(probeOf(connector, credentials));
    if (sentence !== null) return { outcome: "ok", message: sentence, status: "connected" };
    return { outcome: "untested", message: "There is nothing to ask: no test address is given.", status: null };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    const status = error.code === "AUTH_EXPIRED" ? "expired" : "failed";
    return { outcome: "failed", message: error.message, status };
  }
}

/** What a definition may use to ask the other side on behalf of a person who waits. */
export function probeOf(connector: string, credentials: Credentials): ServiceContext {
  const auth = getAuth(connector, credentials.auth);
  const values = usableValues(connector, credentials);
  const send = signedSend({ auth, values, send: outgoingSend() });
  const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
  return {
    settings: serviceSettings(connector, auth, values),
    signal,
    now: () => new Date(),
    send: async (request) => {
      try {
        return await send(request);
      } catch (error) {
        if (!signal.aborted) throw error;
        const { host } = new URL(request.url);
        throw new StepError("TIMEOUT", `${host} did not answer within ${TEST_TIMEOUT_MS / 1000} s`, { cause: error });
      }
    },
  };
}
