import { z } from "zod";
import {
  CONNECTION_FIELD_KINDS,
  CONNECTION_STATUSES,
  PAUSED_CIRCUIT_STATES,
} from "#lib/contract/connection/connection";
import { LISTENER_MODES, LISTENER_STATUSES } from "#lib/contract/trigger/trigger";
import { countSchema, jsonObjectSchema, momentSchema } from "#lib/contract/wire/wire-values";

export const connectionFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.enum(CONNECTION_FIELD_KINDS),
  required: z.boolean(),
  help: z.string().nullable(),
  placeholder: z.string().nullable(),
  default: z.string().nullable(),
  options: z
    .array(
      z.object({
        value: z.string(),
        label: z.string(),
        fills: z
          .record(z.string(), z.string())
          .optional()
          .describe("Values that a form enters into other fields when a person chooses the option."),
        docs: z.url().optional().describe("The vendor's documentation."),
      }),
    )
    .describe("The options of a choice."),
});

export const connectorTriggerSchema = z.object({
  event: z.string(),
  name: z.string(),
  description: z.string(),
  params_schema: jsonObjectSchema.nullable().describe("JSON Schema of the trigger's params; null if it takes none."),
  example: jsonObjectSchema.describe("Example data of such an event, to test a workflow before an event has arrived."),
});

export const connectorKindSchema = z.object({
  connector: z.string(),
  name: z.string(),
  description: z.string(),
  serves_models: z.boolean().describe("True if its connections can serve LLM steps."),
  auths: z.array(
    z.object({
      auth: z.string(),
      name: z.string(),
      signs_in: z.boolean().describe("True if a person signs in at the service. Call start_authorization."),
      fields: z.array(connectionFieldSchema),
    }),
  ),
  triggers: z.array(connectorTriggerSchema).describe("The events that can start a workflow."),
});

export const connectionListenerSchema = z.object({
  mode: z.enum(LISTENER_MODES).nullable(),
  status: z.enum(LISTENER_STATUSES).exclude(["off"]),
  error: z.string().nullable(),
  failing_since: momentSchema.nullable(),
  retry_at: momentSchema.nullable().describe("When a failed listener is tried again."),
  events: z.array(z.string()),
});

export const connectionUseSchema = z.object({
  workflow_id: z.uuid(),
  name: z.string(),
  draft: z.boolean(),
  deployed: z.boolean(),
});

export const connectionSchema = z.object({
  connection_id: z.uuid(),
  connector: z.string(),
  name: z.string(),
  auth: z.string(),
  signs_in: z.boolean().describe("True if a person signed in at the service and can sign in again."),
  status: z.enum(CONNECTION_STATUSES),
  last_error: z.string().nullable(),
  ends_at: momentSchema
    .nullable()
    .describe("When a sign-in that can't be renewed expires; null if it does not expire or this is unknown."),
  settings: z.record(z.string(), z.string()).describe("The fields that are not secret, by name."),
  secret_hints: z
    .record(z.string(), z.string())
    .describe("The last characters of each secret, by field name, to distinguish secrets."),
  origins: z
    .array(z.string())
    .describe("The only origins that receive the credentials; `*.` stands for any subdomain."),
  listeners: z.array(connectionListenerSchema).describe("How its events arrive; empty if no trigger listens."),
  used_by: z.array(connectionUseSchema),
  created_by: z.string().nullable(),
  created_at: momentSchema,
  updated_at: momentSchema,
  last_used_at: momentSchema.nullable(),
});

export const connectionTestSchema = z.object({
  outcome: z.enum(["ok", "failed", "untested"]).describe("untested: the service offers nothing to test with."),
  message: z.string(),
});

export const testedConnectionSchema = z.object({ connection: connectionSchema, test: connectionTestSchema });

export const circuitSchema = z.object({
  connector: z.string(),
  connection_id: z.uuid().nullable().describe("The connection whose calls are paused; null for calls without one."),
  origin: z.string().nullable().describe("For HTTP requests, the scheme, host and port that failed."),
  state: z.enum(PAUSED_CIRCUIT_STATES),
  opened_at: momentSchema,
  retry_at: momentSchema.describe("After this time, the next call decides."),
  failures: countSchema.describe("The failures that opened the circuit."),
  last_error: z.string().nullable(),
});

/** The tools of an MCP server, as they were read last. */
export const connectionToolsSchema = z.object({
  connection_id: z.uuid(),
  server: z
    .object({ name: z.string(), version: z.string(), protocol: z.string().describe("The version of MCP.") })
    .nullable()
    .describe("Null if the server was never read."),
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      params_schema: jsonObjectSchema,
      output_schema: jsonObjectSchema.nullable().describe("Null if the tool returns text only."),
      repeatable: z.boolean().describe("True if a call may be repeated after a timeout."),
    }),
  ),
  left_out: z.array(z.object({ name: z.string(), reason: z.string() })).describe("Tools that can't be called."),
  read_at: momentSchema.nullable(),
  stale: z.boolean().describe("True if the server may have changed its tools since then."),
  last_error: z.string().nullable().describe("Why the last reading failed."),
});
