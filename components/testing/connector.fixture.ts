import type {
  BuildObject,
  ConnectorRoute,
  CustomConnectorObject,
  ValidatedConnector,
} from "#lib/contract/connector/connector";
import { idOf } from "@/components/testing/page.fixture";

const MOMENT = "2026-01-05T09:00:00.000Z";

export function sampleRoute(changes: Partial<ConnectorRoute> = {}): ConnectorRoute {
  return {
    operation: "get_order",
    name: "Get order",
    description: "Returns an order.",
    method: "GET",
    path: "/orders/{order_id}",
    ...changes,
  };
}

/** Returns the first version of a connector that no workflow uses. */
export function sampleConnector(changes: Partial<CustomConnectorObject> = {}): CustomConnectorObject {
  return {
    connector: "orders",
    name: "Orders",
    description: "The orders of the shop.",
    base_url: "https://orders.example/v1",
    auth: "none",
    version: 1,
    created_by: "Ann",
    created_at: MOMENT,
    updated_at: MOMENT,
    operations: [sampleRoute()],
    versions: [{ version: 1, created_at: MOMENT, created_by: "Ann", changes: null, used_by: [] }],
    used_by: [],
    ...changes,
  };
}

/** Returns a source that can be built. */
export function validatedConnector(changes: Partial<ValidatedConnector> = {}): ValidatedConnector {
  return {
    connector: "orders",
    valid: true,
    errors: [],
    left_out: [],
    operations: ["get_order"],
    routes: [sampleRoute()],
    suggested: { name: null, base_url: null, auth: null, service: null },
    document: {
      format: "OpenAPI 3.1",
      operations: 1,
      tags: [{ tag: "orders", operations: 1 }],
      paths: [{ path: "/orders/*", operations: 1 }],
    },
    changes: null,
    breaks: [],
    ...changes,
  };
}

export function sampleBuild(changes: Partial<BuildObject> = {}): BuildObject {
  return {
    build_id: idOf(30),
    connector: "orders",
    status: "ready",
    progress: 100,
    errors: [],
    left_out: [],
    created_at: MOMENT,
    completed_at: null,
    ...changes,
  };
}
