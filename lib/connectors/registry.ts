import type { AuthDefinition, ConnectorDefinition } from "#lib/connectors/define-connector";
import { HTTP_CONNECTOR } from "#lib/connectors/http/connector";
import { ANTHROPIC_CONNECTOR } from "#lib/connectors/llm/anthropic";
import { OPENAI_CONNECTOR } from "#lib/connectors/llm/openai";
import type { ConnectorOperation } from "#lib/engine/ports";

/** The connectors that are built in, in the order they are offered. */
export const CONNECTORS: readonly ConnectorDefinition[] = [HTTP_CONNECTOR, OPENAI_CONNECTOR, ANTHROPIC_CONNECTOR];

const byName = new Map(CONNECTORS.map((connector) => [connector.name, connector]));

/** @param name as a definition calls it */
export function findConnector(name: string): ConnectorDefinition | null {
  return byName.get(name) ?? null;
}

/** @returns null when there is no such connector, or it knows no such way to authenticate */
export function findAuth(connector: string, auth: string): AuthDefinition | null {
  return findConnector(connector)?.auths.find(({ name }) => name === auth) ?? null;
}

/** @returns null when there is no such connector, or it has no such operation */
export function findOperation(connector: string, operation: string): ConnectorOperation | null {
  const operations = findConnector(connector)?.operations ?? {};
  return (Object.hasOwn(operations, operation) && operations[operation]) || null;
}
