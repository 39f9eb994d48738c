import type { AuthDefinition, ConnectionValues } from "#lib/connectors/sdk/define-connector";
import { StepError } from "#lib/contract/run/step-error";
import type { RequestCredentials, SendRequest } from "#lib/core/engine/outgoing-request";
import { maskResponse, maskText } from "#lib/domain/connections/credentials/mask-secrets";
import { secretTexts } from "#lib/domain/connections/credentials/stored-credentials";

interface SignedSendOptions {
  auth: AuthDefinition;
  values: ConnectionValues;
  send: SendRequest;
}

/**
 * Returns a send function that carries credentials without revealing them to its caller: the client attaches them to
 * permitted hosts, and removes them from every answer and error.
 */
export function signedSend({ auth, values, send }: SignedSendOptions): SendRequest {
  const secrets = secretTexts(auth, values);
  const credentials: RequestCredentials = {
    origins: auth.origins(values),
    sign: (request) => auth.sign(request, values),
  };
  return async (request) => {
    try {
      return maskResponse(await send({ ...request, credentials }), secrets);
    } catch (error) {
      if (!(error instanceof StepError) || maskText(error.message, secrets) === error.message) throw error;
      throw new StepError(error.reason, maskText(error.message, secrets), error.details);
    }
  };
}
