import { maskResponse, maskText } from "#lib/connections/mask-secrets";
import { secretTexts } from "#lib/connections/stored-credentials";
import type { AuthDefinition, ConnectionValues } from "#lib/connectors/define-connector";
import { StepError } from "#lib/contract/step-error";
import type { OutgoingResponse, RequestCredentials, SendRequest } from "#lib/engine/outgoing-request";

interface SignedSendOptions {
  auth: AuthDefinition;
  values: ConnectionValues;
  send: SendRequest;
  /** Called with every answer, before whoever asked sees it. */
  onAnswer?(host: string, response: OutgoingResponse): Promise<void>;
}

/**
 * A way to send that carries credentials without giving them to whoever sends: the client attaches them where they may
 * go, and whatever comes back, errors too, is without them.
 */
export function signedSend({ auth, values, send, onAnswer }: SignedSendOptions): SendRequest {
  const secrets = secretTexts(auth, values);
  const credentials: RequestCredentials = {
    origins: auth.origins(values),
    sign: (request) => auth.sign(request, values),
  };
  return async (request) => {
    try {
      const response = await send({ ...request, credentials });
      await onAnswer?.(new URL(request.url).host, response);
      return maskResponse(response, secrets);
    } catch (error) {
      if (!(error instanceof StepError) || maskText(error.message, secrets) === error.message) throw error;
      const { code, retryAfterMs } = error;
      throw new StepError(code, maskText(error.message, secrets), retryAfterMs === undefined ? {} : { retryAfterMs });
    }
  };
}
