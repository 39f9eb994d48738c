import { findAuth, findConnector } from "#lib/connectors/registry";
import type { AuthDefinition, ConnectionField } from "#lib/connectors/sdk/define-connector";
import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import type { Credentials } from "#lib/domain/connections/credentials/stored-credentials";

interface GivenCredentials {
  connector: string;
  auth: string;
  /** The fields as a person typed them, by name. */
  fields: Readonly<Record<string, string>>;
}

/**
 * Checks every field of a connection's form.
 * @throws ApiError BAD_REQUEST with all invalid fields in `details`
 */
export function parseCredentials({ connector, auth, fields }: GivenCredentials): Credentials {
  const definition = requireAuth(connector, auth);
  const errors = unknownFields(definition, fields);
  const values: [string, string][] = [];
  for (const field of definition.fields) {
    const text = fields[field.name]?.trim() ? fields[field.name] : field.default;
    if (text === undefined) {
      if (field.isRequired) errors.push(fieldError(field.name, "required", "is required"));
      continue;
    }
    const parsed = field.schema.safeParse(text);
    if (parsed.success) values.push([field.name, parsed.data]);
    else errors.push(fieldError(field.name, "invalid", messageOf(field, parsed.error.issues[0]?.message)));
  }
  const [first] = errors;
  if (first) throw new ApiError("BAD_REQUEST", `${first.field}: ${first.message}`, { details: errors });
  return { auth, values: Object.fromEntries(values) };
}

function requireAuth(connector: string, auth: string): AuthDefinition {
  const found = findAuth(connector, auth);
  if (found) return found;
  const message = findConnector(connector)
    ? `auth: ${connector} has no authentication method "${auth}"`
    : `connector: there is no connector "${connector}"`;
  throw new ApiError("BAD_REQUEST", message);
}

function unknownFields({ fields: known }: AuthDefinition, given: GivenCredentials["fields"]): FieldError[] {
  const names = new Set(known.map(({ name }) => name));
  return Object.keys(given)
    .filter((name) => !names.has(name))
    .map((name) => fieldError(name, "unknown", "is not a field of this connection"));
}

function messageOf(field: ConnectionField, message = "is not valid"): string {
  if (field.options) return `must be one of: ${field.options.map(({ value }) => value).join(", ")}`;
  return message;
}

function fieldError(name: string, code: string, message: string): FieldError {
  return { field: `fields.${name}`, pointer: `/fields/${name}`, code, message };
}
