import { BITRIX24_CONNECTOR } from "#lib/connectors/bitrix24/connector";
import type { GuidedOperation } from "#lib/connectors/connector-operation";
import type { AuthDefinition, ConnectorDefinition } from "#lib/connectors/define-connector";
import type { TriggerDefinition } from "#lib/connectors/define-trigger";
import { EMAIL_CONNECTOR } from "#lib/connectors/email/connector";
import { GOOGLE_SHEETS_CONNECTOR } from "#lib/connectors/google-sheets/connector";
import { HTTP_CONNECTOR } from "#lib/connectors/http/connector";
import { HUBSPOT_CONNECTOR } from "#lib/connectors/hubspot/connector";
import { KOMMO_CONNECTOR } from "#lib/connectors/kommo/connector";
import { ANTHROPIC_CONNECTOR } from "#lib/connectors/llm/anthropic";
import { OPENAI_CONNECTOR } from "#lib/connectors/llm/openai";
import { MAX_CONNECTOR } from "#lib/connectors/max/connector";
import { TELEGRAM_CONNECTOR } from "#lib/connectors/telegram/connector";

/** The connectors that are built in, in the order they are offered. */
export const CONNECTORS: readonly ConnectorDefinition[] = [
  HTTP_CONNECTOR,
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

/** @param name as a definition calls it */
export function findConnector(name: string): ConnectorDefinition | null {
  return byName.get(name) ?? null;
}

/** @returns null when there is no such connector, or it knows no such way to authenticate */
export function findAuth(connector: string, auth: string): AuthDefinition | null {
  return findConnector(connector)?.auths.find(({ name }) => name === auth) ?? null;
}

/** @returns null when there is no such connector, or it has no such operation */
export function findOperation(connector: string, operation: string): GuidedOperation | null {
  const operations = findConnector(connector)?.operations ?? {};
  return (Object.hasOwn(operations, operation) && operations[operation]) || null;
}

/** @returns null when there is no such connector, or nothing of that name happens there */
export function findTrigger(connector: string, event: string): TriggerDefinition | null {
  const triggers = findConnector(connector)?.triggers ?? {};
  return (Object.hasOwn(triggers, event) && triggers[event]) || null;
}
