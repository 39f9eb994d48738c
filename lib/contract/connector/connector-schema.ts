import { z } from "zod";
import { connectionSchema, connectionUseSchema } from "#lib/contract/connection/connection-schema";
import { BUILD_STATUSES, CONNECTOR_KINDS, CUSTOM_AUTHS } from "#lib/contract/connector/connector";
import { fieldErrorSchema } from "#lib/contract/error/field-error-schema";
import { LIMITS } from "#lib/contract/limits";
import { STEP_ERROR_CODES, STEP_ERROR_REASONS } from "#lib/contract/run/step-error";
import { countSchema, jsonObjectSchema, momentSchema } from "#lib/contract/wire/wire-values";

const names = (about: string) =>
  z.array(z.string().trim().min(1).max(500)).max(LIMITS.selectionNames).optional().describe(about);

/** Chooses operations of a document. */
export const selectionSchema = z
  .object({
    tags: names("Every operation with one of these tags."),
    operations: names('Operations by name, or as a request such as "GET /orders".'),
    paths: names('Every operation of these paths. A path that ends in "/*" means this path and all paths below it.'),
  })
  .describe(
    "The operations of the document to build, up to 200. Those with one of the tags, names or paths are chosen.",
  );

const buildFindingSchema = fieldErrorSchema.extend({
  line: z
    .int()
    .optional()
    .describe("The line in the source text, from 1. Absent if the document was not sent as text."),
  column: z.int().optional().describe("The column in this line, from 1."),
});

export const buildFindingsSchema = z.object({
  errors: z.array(buildFindingSchema),
  left_out: z.array(buildFindingSchema),
});

export const documentSummarySchema = z.object({
  format: z.string().describe('Such as "OpenAPI 3.1" or "Swagger 2.0".'),
  operations: countSchema.describe("The number of operations in the document, chosen or not."),
  tags: z
    .array(z.object({ tag: z.string(), operations: countSchema }))
    .describe(
      'The tags with the number of their operations, the largest first. Operations without a tag are "untagged".',
    ),
  paths: z
    .array(z.object({ path: z.string(), operations: countSchema }))
    .describe('The paths by their first part, such as "/orders/*", with the number of operations below them.'),
  list: z
    .array(
      z.object({
        operation: z.string(),
        name: z.string(),
        method: z.string(),
        path: z.string(),
        tags: z.array(z.string()),
      }),
    )
    .optional()
    .describe("Every operation of the document, up to 5,000. Only with list_operations."),
});

export const connectorRouteSchema = z.object({
  operation: z.string(),
  name: z.string(),
  description: z.string(),
  method: z.string().describe("In uppercase."),
  path: z.string(),
});

export const connectorChangesSchema = z.object({
  base_url: z.object({ before: z.string(), after: z.string() }).nullable(),
  auth: z.object({ before: z.enum(CUSTOM_AUTHS), after: z.enum(CUSTOM_AUTHS) }).nullable(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(
    z.object({
      operation: z.string(),
      changes: z.array(z.string()),
      breaking: z
        .array(z.string())
        .optional()
        .describe(
          "Changes that can make a step fail if it calls the operation or reads its output. Absent in old builds.",
        ),
    }),
  ),
});

export const brokenStepSchema = z.object({
  workflow_id: z.uuid(),
  workflow: z.string(),
  version: z
    .int()
    .nullable()
    .describe("Null for the draft. A deployed version keeps its build until it is published again."),
  step_id: z.string(),
  step: z.string().describe("The name of the step, or its ID."),
  operation: z.string(),
  reasons: z.array(z.string()),
});

export const validatedConnectorSchema = buildFindingsSchema.extend({
  connector: z.string(),
  valid: z.boolean(),
  operations: z.array(z.string()).describe("The operations by name."),
  routes: z.array(connectorRouteSchema).describe("The same operations as requests."),
  suggested: z
    .object({
      name: z.string().nullable(),
      base_url: z.string().nullable(),
      auth: z.enum(CUSTOM_AUTHS).nullable(),
      service: z
        .object({ service: z.string(), name: z.string() })
        .nullable()
        .describe("The service to choose in an HTTP connection with OAuth 2.0 sign-in, if the API is a known one."),
    })
    .describe("The information in the document; null if it contains none."),
  document: documentSummarySchema
    .nullable()
    .describe("What the document contains; null without a document, and if it can't be read."),
  changes: connectorChangesSchema
    .nullable()
    .describe("The changes compared with the current connector of this slug; null if there is none."),
  breaks: z.array(brokenStepSchema).describe("The steps that these changes can break, up to 200."),
});

export const buildSchema = buildFindingsSchema.extend({
  build_id: z.uuid(),
  connector: z.string(),
  status: z.enum(BUILD_STATUSES),
  progress: z.number().describe("Percent."),
  created_at: momentSchema,
  completed_at: momentSchema.nullable(),
});

const connectorFields = {
  connector: z.string(),
  name: z.string(),
  description: z.string(),
  base_url: z.string(),
  auth: z.enum(CUSTOM_AUTHS),
  version: z.int(),
  created_by: z.string().nullable(),
  updated_at: momentSchema,
};

export const customConnectorItemSchema = z.object({
  ...connectorFields,
  operations: countSchema.describe("The number of operations."),
});

export const connectorVersionSchema = z.object({
  version: z.int(),
  created_at: momentSchema,
  created_by: z.string().nullable(),
  changes: connectorChangesSchema.nullable().describe("Null for the first version, and if unknown."),
  used_by: z
    .array(z.object({ workflow_id: z.uuid(), name: z.string(), version: z.int() }))
    .describe("Deployed versions of workflows that use this build."),
});

export const customConnectorSchema = z.object({
  ...connectorFields,
  created_at: momentSchema,
  operations: z.array(connectorRouteSchema),
  versions: z.array(connectorVersionSchema).describe("Newest first."),
  used_by: z.array(connectionUseSchema),
});

export const triedOperationSchema = z.object({
  outcome: z.enum(["succeeded", "failed"]),
  requests: z
    .array(
      z.object({
        method: z.string(),
        url: z.string(),
        status: z.int().nullable().describe("Null if there was no response."),
        after_ms: z.number().describe("When the request was sent."),
        duration_ms: z.number(),
      }),
    )
    .describe("In order, without credentials."),
  output: z.unknown(),
  error: z
    .object({ code: z.enum(STEP_ERROR_CODES), reason: z.enum(STEP_ERROR_REASONS), message: z.string() })
    .nullable(),
  duration_ms: z.number(),
});

const connectorObjectFields = {
  connector: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(CONNECTOR_KINDS),
  serves_models: z.boolean().describe("True if its connections can serve llm nodes."),
  auths: z
    .array(z.object({ auth: z.string(), name: z.string() }))
    .describe("The authentication methods. People create connections in the web application."),
  operations: z.array(z.string()).describe("The operations that a connector node can call."),
  triggers: z.array(z.string()).describe("The events that a trigger node of kind connector can listen for."),
};

export const connectorObjectSchema = z.object(connectorObjectFields);

export const connectedConnectorSchema = z.object({
  ...connectorObjectFields,
  connections: z.array(connectionSchema.pick({ connection_id: true, name: true, status: true })),
});

export const connectorOperationSchema = z.object({
  connector: z.string(),
  operation: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(["action", "trigger"]).describe("What the step does, or which event starts a workflow."),
  connection_id: z.uuid().optional().describe("Only for a tool of an MCP server: the connection whose server has it."),
});

export const fieldOptionsPageSchema = z.object({
  options: z.array(
    z.object({
      value: z.union([z.string(), z.number()]),
      label: z.string(),
      hint: z.string().optional().describe("The name that distinguishes it from other connections."),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const operationSchemaSchema = connectorOperationSchema.extend({
  params_schema: jsonObjectSchema.describe("JSON Schema of the node's data.params."),
  output_schema: jsonObjectSchema.describe("JSON Schema of the node's output."),
  option_fields: z
    .array(z.object({ field: z.string(), depends_on: z.array(z.string()) }))
    .describe("The params whose options the service can list for a connection, with the params that these depend on."),
  example: jsonObjectSchema.describe("The data of a node that calls the operation."),
});
