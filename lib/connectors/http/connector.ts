import { HTTP_AUTHS } from "#lib/connectors/http/auths";
import { HTTP_OPERATIONS } from "#lib/connectors/http/operations";
import type { ConnectorDefinition } from "#lib/connectors/sdk/define-connector";

export const HTTP_CONNECTOR: ConnectorDefinition = {
  name: "http",
  label: "HTTP API",
  description: "Any API over HTTP, with a secret that you were given for it",
  auths: HTTP_AUTHS,
  operations: HTTP_OPERATIONS,
};
