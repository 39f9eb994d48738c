import { afterAll, beforeAll, beforeEach } from "vitest";
import { INLINE_COMPUTE } from "#lib/connectors/inline-compute.fixture";
import { OPENAI_CONNECTOR } from "#lib/connectors/llm/openai";
import { startProvider, type TestProvider } from "#lib/connectors/llm/provider.fixture";
import { createOutgoingClient, type OutgoingClient } from "#lib/connectors/safe-fetch";
import type { ConnectorDefinition } from "#lib/connectors/sdk/define-connector";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";
import type { ConnectorOperation, OperationContext } from "#lib/core/engine/ports";

export const PROVIDER_KEY = "sk-test-0123456789abcdef";
export const ANSWER_SCHEMA = {
  type: "object",
  properties: {
    category: { type: "string", enum: ["refund", "question"] },
    amounts: { type: "array", items: { type: "number", minimum: 0 } },
  },
  required: ["category", "amounts"],
};

interface CallOptions {
  key?: string;
  signal?: AbortSignal;
  noteNumber?: OperationContext["noteNumber"];
}

interface Models {
  provider: TestProvider;
  /** Calls the operation the way a step does, with a connection to the provider. */
  generate(connector: ConnectorDefinition, params?: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
}

/** For tests: a provider of models. Call it at the top of the file. */
export function useModels(): Models {
  const models = {} as Models;
  let client: OutgoingClient;
  beforeAll(async () => {
    const provider = await startProvider(PROVIDER_KEY);
    client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
    models.provider = provider;
    models.generate = (...call) => generate(provider, client, ...call);
  });
  beforeEach(() => {
    models.provider.requests.length = 0;
    models.provider.answers.length = 0;
  });
  afterAll(async () => {
    models.provider.close();
    await client.close();
  });
  return models;
}

function generate(
  provider: TestProvider,
  client: OutgoingClient,
  connector: ConnectorDefinition,
  params: Record<string, unknown> = {},
  { key = PROVIDER_KEY, signal = new AbortController().signal, noteNumber }: CallOptions = {},
) {
  const [auth] = connector.auths;
  const values = { base_url: baseUrlOf(provider, connector), api_key: key };
  const send = (request: OutgoingRequest) => {
    const origins = auth?.origins(values) ?? [];
    return client.send({ ...request, credentials: { origins, sign: (plain) => auth?.sign(plain, values) ?? plain } });
  };
  const connection = {
    id: "test",
    name: "Test",
    connector: connector.name,
    settings: { base_url: values.base_url },
    send,
  };
  const operation = connector.operations.generate as ConnectorOperation;
  return operation.call(
    { model: "model-a", prompt: "Say hello", ...params },
    {
      signal,
      idempotencyKey: "run:ask:",
      traceparent: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
      send,
      connection,
      compute: INLINE_COMPUTE,
      now: () => new Date("2026-01-01T00:00:00Z"),
      noteNumber,
    },
  );
}

const baseUrlOf = (provider: TestProvider, connector: ConnectorDefinition) =>
  connector === OPENAI_CONNECTOR ? `${provider.url}/v1` : provider.url;
