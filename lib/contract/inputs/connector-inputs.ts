import { z } from "zod";
import { BUILD_LIMITS, CONNECTOR_SLUG, CUSTOM_AUTHS, METHODS } from "#lib/contract/connector";

const address = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://api.example.com/v1" })
  .max(2_000);
const schema = z.record(z.string(), z.unknown());
/** An operation described without an OpenAPI document. */
export const describedOperationSchema = z.object({
  name: z.string().trim().min(1).max(90),
  title: z.string().max(200).optional(),
  method: z.enum(METHODS.map((method) => method.toUpperCase())),
  path: z.string().startsWith("/", "must begin with /").max(500).describe("/orders/{order_id}"),
  description: z.string().max(500).optional(),
  parameters: z.array(schema).max(200).optional().describe("OpenAPI parameter objects: name, in, required, schema."),
  body: schema.optional().describe("JSON Schema."),
  body_type: z.string().max(100).optional().describe("application/json by default."),
  body_required: z.boolean().optional().describe("true by default."),
  output: schema.optional().describe("JSON Schema."),
});
export type DescribedOperation = z.output<typeof describedOperationSchema>;

const slug = z
  .string()
  .regex(CONNECTOR_SLUG, "must be lower-case letters, digits, - and _, beginning with a letter")
  .describe("How nodes name the connector; an existing one is replaced.");
export const buildConnectorInput = z.object({
  slug,
  name: z.string().trim().min(1).max(100),
  base_url: address.describe("Every path is put behind it."),
  auth: z.enum(CUSTOM_AUTHS).optional().describe("none by default. Secrets belong into a connection, never here."),
  openapi: z.union([schema, z.string()]).optional().describe("OpenAPI 3.0 or 3.1: the object, or JSON or YAML text."),
  openapi_url: address.optional().describe("Where the document can be fetched, up to 2 MiB."),
  operations: z.array(describedOperationSchema).min(1).max(BUILD_LIMITS.operations).optional(),
});
/** What a connector is built from: exactly one of `openapi`, `openapi_url` and `operations`. */
export type ConnectorSource = z.output<typeof buildConnectorInput>;

/** A connector is checked before it has a name. */
export const validateConnectorInput = buildConnectorInput.partial({ slug: true, name: true, base_url: true });
