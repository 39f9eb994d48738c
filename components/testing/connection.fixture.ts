import type { CircuitObject, ConnectionObject, ConnectorKindObject } from "#lib/contract/connection/connection";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";
import { CONNECTION } from "@/components/testing/sample-objects.fixture";

/** Returns a working connection to the shop that no workflow uses. */
export function sampleConnection(changes: Partial<ConnectionObject> = {}): ConnectionObject {
  return { ...CONNECTION, connection_id: idOf(1), ...changes };
}

type Field = ConnectorKindObject["auths"][number]["fields"][number];

export function sampleField(changes: Partial<Field> = {}): Field {
  return {
    name: "token",
    label: "Token",
    kind: "secret",
    required: true,
    help: null,
    placeholder: null,
    default: null,
    options: [],
    ...changes,
  };
}

/** Returns a connector with one method of authentication, a token. */
export function sampleConnectorKind(changes: Partial<ConnectorKindObject> = {}): ConnectorKindObject {
  return {
    connector: "http",
    name: "HTTP",
    description: "Calls any address.",
    serves_models: false,
    auths: [{ auth: "bearer", name: "Bearer token", signs_in: false, fields: [sampleField()] }],
    triggers: [],
    ...changes,
  };
}

export function openCircuit(changes: Partial<CircuitObject> = {}): CircuitObject {
  return {
    connector: "http",
    connection_id: null,
    origin: "https://shop.example.com",
    state: "open",
    opened_at: secondsAgo(20),
    retry_at: secondsAgo(-3_600),
    failures: 5,
    last_error: null,
    ...changes,
  };
}
