import type { z } from "zod";
import type {
  circuitSchema,
  connectionFieldSchema,
  connectionListenerSchema,
  connectionSchema,
  connectionTestSchema,
  connectionUseSchema,
  connectorKindSchema,
  testedConnectionSchema,
} from "#lib/contract/connection/connection-schema";

/** The state of a connection after its last use or test (decisions, Connections). */
export const CONNECTION_STATUSES = ["connected", "expired", "failed"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** How a form shows a field, and whether its value is ever shown again. */
export const CONNECTION_FIELD_KINDS = ["text", "secret", "lines", "choice"] as const;
export type ConnectionFieldKind = (typeof CONNECTION_FIELD_KINDS)[number];

/** One field of the form that creates a connection. */
export type ConnectionFieldObject = z.output<typeof connectionFieldSchema>;

/** A connector that supports connections, with its authentication methods. */
export type ConnectorKindObject = z.output<typeof connectorKindSchema>;

/** A connection as the web application shows it, never with its secrets. */
export type ConnectionObject = z.output<typeof connectionSchema>;

/** `half_open`: a single call is in flight to find out whether the service works again. */
export const PAUSED_CIRCUIT_STATES = ["open", "half_open"] as const;

/** A connector whose calls are paused after too many failures (decisions, Connectors: breaker). */
export type CircuitObject = z.output<typeof circuitSchema>;

/** decisions, Connector events. */
export type ConnectionListener = z.output<typeof connectionListenerSchema>;

/** A workflow that uses the connection in its draft, its deployed version, or both. */
export type ConnectionUse = z.output<typeof connectionUseSchema>;

/** The service's response to the test. `untested`: the service offers nothing to test with. */
export type ConnectionTest = z.output<typeof connectionTestSchema>;

export type TestedConnection = z.output<typeof testedConnectionSchema>;
