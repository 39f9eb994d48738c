import { HTTP_CONNECTOR } from "#lib/connectors/http/connector";
import { ANTHROPIC_CONNECTOR } from "#lib/connectors/llm/anthropic";
import { OPENAI_CONNECTOR } from "#lib/connectors/llm/openai";
import { MCP_CONNECTOR } from "#lib/connectors/mcp/connector";
import type { GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import type { AuthDefinition, ConnectorDefinition } from "#lib/connectors/sdk/define-connector";
import type { TriggerDefinition } from "#lib/connectors/sdk/define-trigger";
import { BITRIX24_CONNECTOR } from "#lib/connectors/vendors/bitrix24/connector";
import { EMAIL_CONNECTOR } from "#lib/connectors/vendors/email/connector";
import { GOOGLE_SHEETS_CONNECTOR } from "#lib/connectors/vendors/google-sheets/connector";
import { HUBSPOT_CONNECTOR } from "#lib/connectors/vendors/hubspot/connector";
import { KOMMO_CONNECTOR } from "#lib/connectors/vendors/kommo/connector";
import { MAX_CONNECTOR } from "#lib/connectors/vendors/max/connector";
import { TELEGRAM_CONNECTOR } from "#lib/connectors/vendors/telegram/connector";

/** The built-in connectors, in the order in which they are offered. */
export const CONNECTORS: readonly ConnectorDefinition[] = [
  HTTP_CONNECTOR,
  MCP_CONNECTOR,
  OPENAI_CONNECTOR,
  ANTHROPIC_CONNECTOR,
  EMAIL_CONNECTOR,
  GOOGLE_SHEETS_CONNECTOR,
  HUBSPOT_CONNECTOR,
  KOMMO_CONNECTOR,
  BITRIX24_CONNECTOR,
  MAX_CONNECTOR,
  TELEGRAM_CONNECTOR,
];

const byName = new Map(CONNECTORS.map((connector) => [connector.name, connector]));

/**
 * Finds a connector.
 * @param name the name in a definition
 */
export function findConnector(name: string): ConnectorDefinition | null {
  return byName.get(name) ?? null;
}

/** @returns null if the connector does not exist or has no such auth */
export function findAuth(connector: string, auth: string): AuthDefinition | null {
  return findConnector(connector)?.auths.find(({ name }) => name === auth) ?? null;
}

/** @returns null if the connector does not exist or has no such operation */
export function findOperation(connector: string, operation: string): GuidedOperation | null {
  const operations = findConnector(connector)?.operations ?? {};
  return (Object.hasOwn(operations, operation) && operations[operation]) || null;
}

/** @returns null if the connector does not exist or has no such trigger */
export function findTrigger(connector: string, event: string): TriggerDefinition | null {
  const triggers = findConnector(connector)?.triggers ?? {};
  return (Object.hasOwn(triggers, event) && triggers[event]) || null;
}
