import { describeCatalog } from "#lib/connectors/describe-catalog";
import type { ActionObject } from "#lib/contract/action/action";
import type { CatalogApp } from "#lib/contract/connector/connector";
import { idOf } from "@/components/testing/page.fixture";

/** The built-in connectors as the server describes them, in a workspace without connections. */
export const BUILT_IN_APPS: readonly CatalogApp[] = describeCatalog().map((app) => ({ ...app, connections: [] }));

/** The same with connections to one of them. */
export function appsConnectedTo(connector: string, ...names: string[]): CatalogApp[] {
  const connections = names.map((name, index) => {
    return { connection_id: idOf(index + 1), name, status: "connected" as const };
  });
  return BUILT_IN_APPS.map((app) => (app.connector === connector ? { ...app, connections } : app));
}

/** A connector that the workspace built from an OpenAPI document. */
export const BILLING_APP: CatalogApp = {
  connector: "billing-api",
  name: "Billing",
  description: "The company's invoices",
  keywords: "",
  kind: "custom",
  serves_models: false,
  connections: [],
  operations: [
    {
      operation: "create_invoice",
      name: "Create an invoice",
      description: "Creates a draft of an invoice.",
      keywords: "",
      kind: "action",
    },
  ],
};

/** A published action that a step can run. */
export const REFUND_ACTION = {
  slug: "refund-order",
  name: "Refund an order",
  description: "Pays the customer back.",
  status: "active",
  inputSchema: {
    type: "object",
    properties: { order_id: { type: "string" }, amount: { type: "number" } },
    required: [],
  },
} as Partial<ActionObject> as ActionObject;
