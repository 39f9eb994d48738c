import type { PublishedFacts } from "#lib/connectors/vendors/published-facts.fixture";
import { isJsonObject } from "#lib/support/json";
import { type Resolve, readField, readObjectFields } from "#scripts/vendor-facts/read-schema";

/** Reads the methods of a Google API discovery document: https://developers.google.com/discovery/v1/reference/apis */
export function readDiscovery(document: unknown): PublishedFacts["methods"] {
  if (!isJsonObject(document)) return {};
  const schemas = isJsonObject(document.schemas) ? document.schemas : {};
  const resolve: Resolve = (name) => schemas[name];
  const common = isJsonObject(document.parameters) ? document.parameters : {};
  return Object.fromEntries(
    methodsOf(document).map((method) => {
      const own = isJsonObject(method.parameters) ? method.parameters : {};
      const query = Object.entries({ ...common, ...own }).filter(
        ([, one]) => isJsonObject(one) && one.location === "query",
      );
      const body = readObjectFields(method.request, resolve);
      const isRequired = (one: unknown) => isJsonObject(one) && one.required === true;
      const fields = query.map(([name, one]) => [name, readField(one, isRequired(one), resolve)] as const);
      return [
        `${method.httpMethod} /${method.path}`,
        {
          ...(method.deprecated === true ? { deprecated: true as const } : {}),
          query: Object.fromEntries(fields),
          ...(body === undefined ? {} : { body }),
        },
      ];
    }),
  );
}

function methodsOf(holder: Record<string, unknown>): Record<string, unknown>[] {
  const own = isJsonObject(holder.methods) ? Object.values(holder.methods) : [];
  const inner = isJsonObject(holder.resources) ? Object.values(holder.resources) : [];
  return [...own.filter(isJsonObject), ...inner.filter(isJsonObject).flatMap(methodsOf)];
}
