import type { WireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import type { CustomAuth, DocumentSummary, Method } from "#lib/contract/connector/connector";
import type { FieldError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** An operation of a custom connector: everything needed to make a request. It is data; nothing in it is executed. */
export interface CustomOperation {
  name: string;
  title: string;
  description: string;
  method: Method;
  /** The path, with `{name}` for each path parameter. */
  path: string;
  /** The server of this operation, if it is not the base URL of the connector. */
  server?: string;
  /** The media type of the body; null if the operation takes none. */
  bodyType: string | null;
  /**
   * The media type and the form fields of a body that contains a file, if `bodyType` cannot carry one. The schema of the
   * body is then a choice of two.
   */
  upload?: { type: string; wire: WireParameter[] };
  /** How each parameter and form field is written. */
  wire: WireParameter[];
  /** The required parameters as `place.name`, and `body`. */
  required: string[];
  /** The examples of the document, by place, as far as it gives some and they are small. */
  example?: JsonObject;
  /** JSON Schema of the node's params: `path`, `query`, `header`, `cookie` and `body`. */
  paramsSchema: JsonObject;
  /** JSON Schema of the response body. */
  outputSchema: JsonObject;
}

/** A custom connector as it is stored. */
export interface CustomDefinition {
  description: string;
  baseUrl: string;
  auth: CustomAuth;
  operations: CustomOperation[];
}

/** A finding of a build: an error stops the build, a part that is left out does not. */
export interface BuildFinding extends FieldError {
  severity: "error" | "left_out";
  /** The place in the source text, from 1. Absent if the document was not given as text. */
  line?: number;
  column?: number;
}

/** Ends a build. The message is for the person who requested it. */
export class BuildRefused extends Error {
  override readonly name = "BuildRefused";
  readonly finding: BuildFinding;
  /** What the document contains, as far as it could be read. */
  summary: DocumentSummary | null = null;

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
