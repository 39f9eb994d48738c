import { checkValue } from "#lib/connectors/custom/check-value";
import type { CustomOperation } from "#lib/connectors/custom/custom-definition";
import { bodyKind } from "#lib/connectors/custom/wire/body-kind";
import type { WireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import { isFileValue } from "#lib/connectors/http/body/file-value";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

interface ChosenBody {
  type: string;
  wire: readonly WireParameter[];
  /** What the body must match; that of both types if it is not known yet which one it is. */
  schema: JsonObject;
}

/**
 * Returns how the body of an operation is sent: in its own type, or in the one for files if it contains a file where that
 * type takes one. A body that fits the own type is never sent as bytes.
 * @param isOpen names the values that are known only when the step runs; by default there are none
 */
export function chooseBody(
  operation: CustomOperation,
  body: unknown,
  isOpen: (value: unknown) => boolean = () => false,
): ChosenBody | null {
  const { bodyType, upload, wire = [], paramsSchema } = operation;
  if (bodyType === null) return null;
  const { schema, upload: uploadSchema } = splitBody(operation);
  const own = { type: bodyType, wire, schema };
  if (!upload || !uploadSchema || !isJsonObject(body)) return own;
  const other = { ...upload, schema: uploadSchema };
  if (bodyKind(upload.type) !== "multipart") {
    return isFileValue(body) && checkValue(schema, body, [], { isOpen }).length > 0 ? other : own;
  }
  const files = upload.wire.flatMap(({ name, file }) => (file ? [getPath(body, [name])].flat() : []));
  if (files.some(isFileValue)) return other;
  const both = getPath(paramsSchema, ["properties", "body"]);
  return files.some((value) => value !== null && isOpen(value)) && isJsonObject(both) ? { ...own, schema: both } : own;
}

/** Returns the schemas of a body: of its own type, and of the one for files. */
export function splitBody({ paramsSchema, upload }: CustomOperation): {
  schema: JsonObject;
  upload: JsonObject | null;
} {
  const schema = getPath(paramsSchema, ["properties", "body"]);
  if (!isJsonObject(schema)) return { schema: {}, upload: null };
  const [own, other] = upload && Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  return { schema: isJsonObject(own) ? own : {}, upload: isJsonObject(other) ? other : null };
}
