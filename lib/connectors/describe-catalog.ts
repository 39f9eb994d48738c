import { CONNECTORS } from "#lib/connectors/registry";
import type { ConnectorDefinition } from "#lib/connectors/sdk/define-connector";
import type { CatalogApp } from "#lib/contract/connector/connector";

/** A service of the step picker, before the workspace's connections to it are known. */
export type CatalogService = Omit<CatalogApp, "connections">;

/** Describes the built-in connectors for the step picker. */
export function describeCatalog(): CatalogService[] {
  return CONNECTORS.map((connector) => ({
    connector: connector.name,
    name: connector.label,
    description: connector.description,
    keywords: connector.keywords,
    kind: "builtin",
    serves_models: connector.listModels !== undefined,
    operations: [...describeActions(connector), ...describeTriggers(connector)],
  }));
}

function describeActions({ operations }: ConnectorDefinition): CatalogApp["operations"] {
  return Object.entries(operations).flatMap(([operation, { guide }]) => {
    if (guide === undefined) return [];
    const { title: name, description, keywords = "" } = guide;
    return [{ operation, name, description, keywords, kind: "action" as const }];
  });
}

function describeTriggers({ triggers = {} }: ConnectorDefinition): CatalogApp["operations"] {
  return Object.entries(triggers).map(([operation, { title: name, description, keywords = "" }]) => {
    return { operation, name, description, keywords, kind: "trigger" as const };
  });
}
