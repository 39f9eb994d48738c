import type { FieldError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";

export const CUSTOM_AUTHS = [
  "none",
  "api_key",
  "bearer",
  "basic",
  "oauth2_client_credentials",
  "oauth2_authorization_code",
] as const;
export type CustomAuth = (typeof CUSTOM_AUTHS)[number];

/** decisions, Connectors. Sizes in bytes. */
export const BUILD_LIMITS = { documentBytes: 2 * 1_048_576, operations: 200, redirects: 3, definitionBytes: 4_194_304 };

export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
export const PARAMETER_PLACES = ["path", "query", "header"] as const;
export type ParameterPlace = (typeof PARAMETER_PLACES)[number];

/** One operation of a custom connector: everything a request is made from. It is data; nothing of it is executed. */
export interface CustomOperation {
  name: string;
  title: string;
  description: string;
  method: (typeof METHODS)[number];
  /** With `{name}` for each path parameter. */
  path: string;
  /** The media type of the body; null when the operation takes none. */
  bodyType: string | null;
  /** Required parameters, as `place.name`, and `body`. */
  required: string[];
  /** JSON Schema of the node's params: `path`, `query`, `header` and `body`. */
  paramsSchema: JsonObject;
  /** JSON Schema of the answer's body. */
  outputSchema: JsonObject;
}

/** A custom connector as it is stored. */
export interface CustomDefinition {
  description: string;
  baseUrl: string;
  auth: CustomAuth;
  operations: CustomOperation[];
}

/** What a build found: an error stops it, what is left out does not. */
export interface BuildFinding extends FieldError {
  severity: "error" | "left_out";
}

/** Ends a build; the person who asked reads it. */
export class BuildRefused extends Error {
  override readonly name = "BuildRefused";
  readonly finding: BuildFinding;

  /** @param pointer RFC 6901, into the input (`/base_url`) or into the document (`/paths/~1orders`) */
  constructor(pointer: string, code: string, message: string) {
    super(message);
    this.finding = toFinding("error", pointer, code, message);
  }
}

export function toFinding(
  severity: BuildFinding["severity"],
  pointer: string,
  code: string,
  message: string,
): BuildFinding {
  return { severity, pointer, code, message, field: pointer.split("/").at(-1) || "openapi" };
}

/** Adds a name to an RFC 6901 pointer. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
