import { z } from "zod";
import { BUILD_LIMITS, CONNECTOR_SLUG, CUSTOM_AUTHS, METHODS } from "#lib/contract/connector/connector";
import { selectionSchema } from "#lib/contract/connector/connector-schema";
import { LIMITS } from "#lib/contract/limits";

const address = z.url({ protocol: /^https?$/, error: "must be a URL such as https://api.example.com/v1" }).max(2_000);
const inMib = (bytes: number) => `${bytes / 1_048_576} MiB`;
const schema = z.record(z.string(), z.unknown());
/** An operation described without an OpenAPI document. */
export const describedOperationSchema = z.object({
  name: z.string().trim().min(1).max(90),
  title: z.string().max(200).optional(),
  method: z.enum(METHODS.map((method) => method.toUpperCase())),
  path: z.string().startsWith("/", "must start with /").max(500).describe("/orders/{order_id}"),
  description: z.string().max(500).optional(),
  parameters: z
    .array(schema)
    .max(200)
    .optional()
    .describe("OpenAPI parameter objects: name, in, required, schema; also style, explode, allowReserved, content."),
  body: schema.optional().describe("JSON Schema."),
  body_type: z.string().max(100).optional().describe("Defaults to application/json."),
  body_encoding: schema.optional().describe("OpenAPI encoding objects by field, if body_type is a form or multipart."),
  upload: z
    .object({ type: z.string().max(100), schema, encoding: schema.optional() })
    .optional()
    .describe("How a body that contains a file is sent, if body_type can't carry one: media type and JSON Schema."),
  body_required: z.boolean().optional().describe("Defaults to true."),
  server: address.optional().describe("The URL that the path is appended to, if it is not base_url."),
  output: schema.optional().describe("JSON Schema."),
});
export type DescribedOperation = z.output<typeof describedOperationSchema>;

const slug = z
  .string()
  .regex(CONNECTOR_SLUG, "must start with a lowercase letter and contain only lowercase letters, digits, - and _")
  .describe("The name of the connector in nodes. An existing connector with this slug is replaced.");
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export const buildConnectorInput = z.object({
  slug,
  name: z.string().trim().min(1).max(100),
  base_url: address
    .optional()
    .describe("The URL that every path is appended to. Defaults to the first server of the document with https."),
  auth: z.enum(CUSTOM_AUTHS).optional().describe("Defaults to none. Put secrets in a connection, never here."),
  openapi: z
    .union([schema, z.string()])
    .optional()
    .describe(
      `An OpenAPI 3.0 to 3.2 or Swagger 2.0 document: an object, or JSON or YAML text, up to ${inMib(LIMITS.bodyBytes)}.`,
    ),
  openapi_url: address
    .optional()
    .describe(`The URL of the document, which can have up to ${inMib(BUILD_LIMITS.documentBytes)}.`),
  // As a refinement, because some models accept no schema that says base64.
  openapi_gzip: z
    .string()
    .max(LIMITS.bodyBytes)
    .refine((text) => BASE64.test(text), "must be base64")
    .optional()
    .describe(`The text of a document above ${inMib(LIMITS.bodyBytes)}, compressed with gzip, as base64.`),
  select: selectionSchema.optional(),
  operations: z.array(describedOperationSchema).min(1).max(BUILD_LIMITS.operations).optional(),
});
/** The source of a connector: exactly one of `openapi`, `openapi_gzip`, `openapi_url` and `operations`. */
export type ConnectorSource = z.output<typeof buildConnectorInput>;

/** The input to check a connector, which does not need a name yet. */
export const validateConnectorInput = buildConnectorInput
  .partial({ slug: true, name: true })
  .extend({ list_operations: z.boolean().optional().describe("Also list every operation of the document.") });
