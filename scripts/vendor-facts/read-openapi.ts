import type { PublishedFacts, PublishedField, PublishedMethod } from "#lib/connectors/vendors/published-facts.fixture";
import { isJsonObject } from "#lib/support/json";
import { type Resolve, readField, readObjectFields } from "#scripts/vendor-facts/read-schema";

/** MAX's note ("no longer supported") at methods that it still lists but no longer serves. */
const GONE = /больше не поддерживается/;

const VERBS = ["get", "post", "put", "patch", "delete"] as const;

/**
 * Reads the methods of an OpenAPI 3 document.
 * @param isUsed returns true for paths to keep
 */
export function readOpenapi(
  document: unknown,
  isUsed: (path: string) => boolean = () => true,
): PublishedFacts["methods"] {
  const paths = isJsonObject(document) && isJsonObject(document.paths) ? document.paths : {};
  const resolve: Resolve = (reference) => follow(document, reference);
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      VERBS.flatMap((verb) => {
        const operation = isJsonObject(item) ? item[verb] : undefined;
        if (!isUsed(path) || !isJsonObject(item) || !isJsonObject(operation)) return [];
        const parameters = [item.parameters, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
        return [[`${verb.toUpperCase()} ${path}`, readMethod(operation, parameters, resolve)]];
      }),
    ),
  );
}

function readMethod(operation: Record<string, unknown>, parameters: unknown[], resolve: Resolve): PublishedMethod {
  const query = parameters
    .map((raw) => (isJsonObject(raw) && typeof raw.$ref === "string" ? resolve(raw.$ref) : raw))
    .filter(isJsonObject)
    .filter((parameter) => parameter.in === "query");
  const body = readObjectFields(bodySchema(operation, resolve), resolve);
  return {
    ...(operation.deprecated === true || GONE.test(String(operation.description)) ? { deprecated: true } : {}),
    ...(query.length > 0 ? { query: Object.fromEntries(query.map((one) => readParameter(one, resolve))) } : {}),
    ...(body === undefined ? {} : { body }),
  };
}

function readParameter(parameter: Record<string, unknown>, resolve: Resolve): [string, PublishedField] {
  const { name, schema, required, deprecated } = parameter;
  const field = readField(schema, required === true, resolve);
  return [String(name), deprecated === true ? { ...field, deprecated } : field];
}

function bodySchema({ requestBody }: Record<string, unknown>, resolve: Resolve): unknown {
  const body =
    isJsonObject(requestBody) && typeof requestBody.$ref === "string" ? resolve(requestBody.$ref) : requestBody;
  const content = isJsonObject(body) && isJsonObject(body.content) ? body.content : {};
  const media = content["application/json"];
  return isJsonObject(media) ? media.schema : undefined;
}

function follow(document: unknown, reference: string): unknown {
  const names = reference.replace(/^#\//, "").split("/");
  return names.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), document);
}
