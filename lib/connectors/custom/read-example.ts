import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { resolveReference } from "#lib/connectors/custom/resolve-reference";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject, setOwn } from "#lib/support/json";

const DEPTH_MAX = 6;
const PARTS_MAX = 500;

/**
 * Returns the example that a document gives for a parameter or a media type: its own, that of its schema, or an object of
 * the fields that have one. Undefined if there is none.
 */
export function readExample(document: JsonObject, holder: JsonObject): unknown {
  const [first] = isJsonObject(holder.examples) ? Object.values(holder.examples) : [];
  const named = follow(document, first);
  const own = holder.example ?? (isJsonObject(named) ? (named.value ?? named.dataValue) : undefined);
  return own ?? ofSchema(document, holder.schema, { depth: 0, left: PARTS_MAX });
}

interface Walk {
  depth: number;
  left: number;
}

function ofSchema(document: JsonObject, given: unknown, walk: Walk): unknown {
  walk.left -= 1;
  const schema = follow(document, given);
  if (!isJsonObject(schema) || walk.depth > DEPTH_MAX || walk.left < 0) return undefined;
  const own = schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined);
  if (own !== undefined) return own;
  walk.depth += 1;
  const found = schema.items === undefined ? ofFields(document, schema, walk) : ofItems(document, schema.items, walk);
  walk.depth -= 1;
  return found;
}

function ofItems(document: JsonObject, items: unknown, walk: Walk): unknown {
  const item = ofSchema(document, items, walk);
  return item === undefined ? undefined : [item];
}

function ofFields(document: JsonObject, { properties, allOf }: JsonObject, walk: Walk): unknown {
  const fields: JsonObject = {};
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const found = ofSchema(document, part, walk);
    if (isJsonObject(found)) Object.assign(fields, found);
  }
  for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const found = ofSchema(document, property, walk);
    if (found !== undefined) setOwn(fields, name, found);
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

/** An example that cannot be found is none. */
function follow(document: JsonObject, value: unknown): unknown {
  try {
    return resolveReference(document, value, "");
  } catch (error) {
    if (!(error instanceof BuildRefused)) throw error;
    return undefined;
  }
}
