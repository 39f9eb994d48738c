import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { ConnectionStatus, ConnectionTest } from "#lib/contract/connection/connection";
import { StepError } from "#lib/contract/run/step-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { connectionSend } from "#lib/domain/connections/connection-send";
import { withFirstToken } from "#lib/domain/connections/credentials/renew-tokens";
import type { ResolvedConnection } from "#lib/domain/connections/credentials/resolve-connection";
import {
  type Credentials,
  getAuth,
  serviceSettings,
  usableValues,
} from "#lib/domain/connections/credentials/stored-credentials";
import { signedSend } from "#lib/domain/connections/signed-send";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

/** A person waits for the answer. */
const TEST_TIMEOUT_MS = 10_000;

export interface TriedCredentials extends ConnectionTest {
  /** The connection's new status; null does not change it. */
  status: ConnectionStatus | null;
  /** The tested credentials, with the token that was granted for them. */
  credentials: Credentials;
}

/** Checks whether the service accepts credentials. A failure there is a result, not an error of ours. */
export async function tryCredentials(
  workspaceId: string,
  connector: string,
  given: Credentials,
): Promise<TriedCredentials> {
  const { oauth } = getAuth(connector, given.auth);
  const send = outgoingSend(workspaceId);
  let credentials = given;
  const tried = await askService(
    connector,
    given.auth,
    async () => {
      if (oauth && !given.tokens) credentials = await withFirstToken(connector, oauth, given, send);
      const values = usableValues(connector, credentials);
      return signedSend({ auth: getAuth(connector, given.auth), values, send });
    },
    given,
  );
  return { ...tried, credentials };
}

/** Does the same for a stored connection, and renews its token if needed. */
export async function tryConnection(connection: ResolvedConnection): Promise<Omit<TriedCredentials, "credentials">> {
  const { connector, credentials } = connection;
  return askService(connector, credentials.auth, async () => connectionSend(connection, outgoingSend()), credentials);
}

async function askService(
  connector: string,
  authName: string,
  open: () => Promise<SendRequest>,
  credentials: Credentials,
): Promise<Omit<TriedCredentials, "credentials">> {
  const auth = getAuth(connector, authName);
  try {
    const sentence = await auth.test(probeOf(connector, credentials, await open()));
    if (sentence !== null) return { outcome: "ok", message: sentence, status: "connected" };
    return { outcome: "untested", message: "Nothing was tested, because no test address is set.", status: null };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    const status = error.code === "AUTH_EXPIRED" ? "expired" : "failed";
    return { outcome: "failed", message: error.message, status };
  }
}

/** Returns what a definition may use to call the service of a connection for a person who waits. */
export function probeOfConnection(connection: ResolvedConnection): ServiceContext {
  return probeOf(connection.connector, connection.credentials, connectionSend(connection, outgoingSend()));
}

function probeOf(connector: string, { auth: name, values }: Credentials, send: SendRequest): ServiceContext {
  const auth = getAuth(connector, name);
  const signal = probeSignal();
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
        throw new StepError("service_timeout", `${host} did not answer within ${TEST_TIMEOUT_MS / 1000} s`, {
          cause: error,
        });
      }
    },
  };
}

/** The reason is a StepError: code that checks the signal between two requests throws it. */
function probeSignal(): AbortSignal {
  const ended = new AbortController();
  const end = () =>
    ended.abort(new StepError("service_timeout", `There was no answer within ${TEST_TIMEOUT_MS / 1000} s`));
  setTimeout(end, TEST_TIMEOUT_MS).unref();
  return ended.signal;
}
