import { z } from "zod";
import { connectionSchema } from "#lib/contract/connection/connection-schema";
import { CONNECTOR_KINDS } from "#lib/contract/connector/connector";
import { connectorOperationSchema } from "#lib/contract/connector/connector-schema";

const keywords = z.string().describe("Words to find it by that appear in none of its other texts.");

export const catalogAppSchema = z.object({
  connector: z.string(),
  name: z.string(),
  description: z.string(),
  keywords,
  kind: z.enum(CONNECTOR_KINDS),
  serves_models: z.boolean().describe("True if its connections can serve llm nodes."),
  connections: z
    .array(connectionSchema.pick({ connection_id: true, name: true, status: true }))
    .describe("The connections that its operations can use."),
  operations: z.array(connectorOperationSchema.omit({ connector: true }).extend({ keywords })),
});
