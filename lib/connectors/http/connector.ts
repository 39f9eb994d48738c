import { HTTP_AUTHS } from "#lib/connectors/http/auths";
import { HTTP_OPERATIONS } from "#lib/connectors/http/operations";
import type { ConnectorDefinition } from "#lib/connectors/sdk/define-connector";

export const HTTP_CONNECTOR: ConnectorDefinition = {
  name: "http",
  label: "HTTP API",
  description: "Call any API over HTTP, with or without credentials",
  keywords: "rest api url fetch curl request endpoint post get webhook",
  auths: HTTP_AUTHS,
  operations: HTTP_OPERATIONS,
};
