import { z } from "zod";

export const connectionIdSchema = z.uuid().describe("The connection_id from list_connections.");
const name = z.string().trim().min(1, "is required").max(100, "must be at most 100 characters long");
const connector = z.string().min(1).max(100);
const credentials = {
  auth: z.string().min(1).max(50).describe("One of the connector's auths."),
  fields: z
    .record(z.string().max(50), z.string().max(20_000, "must be at most 20000 characters long"))
    .describe("The values, by the names of the auth's fields."),
  accept_failure: z.boolean().optional().describe("Store the connection even if the service refuses its credentials."),
};

export const createConnectionInput = z.object({ connector, name, ...credentials });

export const replaceCredentialsInput = z.object({ connection_id: connectionIdSchema, ...credentials });

export const renameConnectionInput = z.object({ connection_id: connectionIdSchema, name });

export const allowConnectionHostInput = z.object({
  connection_id: connectionIdSchema,
  origin: z.string().min(1).max(300).describe("The scheme, host and port, such as http://crm.internal:8080."),
});

export const startAuthorizationInput = z.object({
  connection_id: z
    .uuid()
    .optional()
    .describe("To sign in to an existing connection again. The other fields are for a new connection."),
  connector: connector.optional(),
  name: name.optional(),
  auth: credentials.auth.optional(),
  fields: credentials.fields.optional(),
  return_to: z
    .string()
    .max(2_000)
    .optional()
    .describe("The path of this site to return to. Defaults to the list of connections."),
});
