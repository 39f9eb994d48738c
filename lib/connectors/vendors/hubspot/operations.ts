import { z } from "zod";
import { callService, pathOf, sendToService } from "#lib/connectors/sdk/call-service";
import { maxItems } from "#lib/connectors/sdk/collect-pages";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { HUBSPOT_ASSOCIATION_OPERATIONS } from "#lib/connectors/vendors/hubspot/association-operations";
import {
  CRM_TYPES,
  type CrmType,
  changeShape,
  creationShape,
  crmId,
  toAssociations,
  toProperties,
} from "#lib/connectors/vendors/hubspot/object-fields";
import {
  after,
  crmObject,
  crmPageOf,
  HUBSPOT_VERSION,
  listCrmPages,
  pageSize,
  present,
} from "#lib/connectors/vendors/hubspot/object-pages";
import { optionsFrom } from "#lib/contract/action/field-options";
import { writtenAs } from "#lib/contract/action/field-places";
import type { JsonObject } from "#lib/contract/wire/json-schema";

const DOCS = `https://developers.hubspot.com/docs/api-reference/${HUBSPOT_VERSION}/`;
/** Page size limit of the search; lists allow 100. */
const PAGE_MAX = 200;
const LIST_PAGE_MAX = 100;

function namesOf(type: string) {
  return z
    .array(z.string())
    .nullish()
    .meta({
      title: "Properties to return",
      description: "HubSpot's default properties if empty.",
      ...writtenAs("name"),
      ...optionsFrom(`${type}_properties`),
    });
}

const filter = z.looseObject({
  /** A token has a wildcard and no escape: https://developers.hubspot.com/docs/api-reference/search/guide */
  value: z
    .unknown()
    .optional()
    .meta(writtenAs({ by: "operator", is: { CONTAINS_TOKEN: "token", NOT_CONTAINS_TOKEN: "token" }, otherwise: null })),
});

const searchParams = z.object({
  query: z
    .string()
    .max(3_000)
    .nullish()
    .meta({ title: "Text", description: "Searched for in the default properties." }),
  filter_groups: z
    .array(z.object({ filters: z.array(filter).min(1).max(6) }))
    .max(5)
    .nullish()
    .meta({
      title: "Filters",
      description: "The filterGroups of the search API: [{filters: [{propertyName, operator, value}]}].",
    }),
  sorts: z.array(z.record(z.string(), z.unknown())).max(1).nullish().meta({ title: "Sort by" }),
  limit: pageSize(PAGE_MAX),
  after,
  max_items: maxItems,
});

/** Returns the `query` of a request that names properties. */
function propertiesQuery(properties: readonly string[] | null | undefined) {
  return properties && properties.length > 0 ? { properties: properties.join(",") } : {};
}

/** Defines the operations of one object type. HubSpot's object APIs are the same for each type. */
function operationsOf(crmType: CrmType): Record<string, GuidedOperation> {
  return { ...readingOf(crmType), ...writingOf(crmType) };
}

function readingOf(crmType: CrmType): Record<string, GuidedOperation> {
  const { type, one } = crmType;
  const docs = `${DOCS}${crmType.docs}`;
  const path = `/crm/objects/${HUBSPOT_VERSION}/${type}`;
  const names = namesOf(type);
  return {
    [`get_${one}`]: connectorOperation({
      kind: "read",
      docs,
      title: `Get a ${one}`,
      description: `Returns a ${one} by its id.`,
      params: z.object({ id: crmId, properties: names }),
      output: crmObject,
      example: { id: "512" },
      run: (service, { id: given, properties }) =>
        callService(service, { method: "GET", path: path + pathOf`/${given}`, query: propertiesQuery(properties) }),
    }),
    [`list_${type}`]: connectorOperation({
      kind: "search",
      docs,
      title: `List ${type}`,
      description: `Returns a page of ${type}.`,
      params: z.object({ limit: pageSize(PAGE_MAX), after, max_items: maxItems, properties: names }),
      output: crmPageOf(crmObject),
      example: { limit: 20 },
      run: (service, { properties, ...given }) =>
        listCrmPages(service, given, LIST_PAGE_MAX, (query) =>
          callService(service, { method: "GET", path, query: { ...query, ...propertiesQuery(properties) } }),
        ),
    }),
    [`search_${type}`]: connectorOperation({
      kind: "search",
      title: `Search ${type}`,
      description: `Returns a page of the ${type} that match.`,
      docs: "https://developers.hubspot.com/docs/api-reference/search/guide",
      params: searchParams.extend({ properties: names }),
      output: crmPageOf(crmObject).extend({ total: z.int() }),
      example: { query: "ada@example.com", limit: 5 },
      run: (service, { filter_groups: filterGroups, limit: size, after: from, max_items, ...given }) =>
        listCrmPages(service, { limit: size, after: from, max_items }, PAGE_MAX, (query) => {
          const json = present({ filterGroups, ...given, ...query });
          return callService(service, { method: "POST", path: `${path}/search`, json });
        }),
    }),
  };
}

function writingOf(crmType: CrmType): Record<string, GuidedOperation> {
  const { type, one, example } = crmType;
  const docs = `${DOCS}${crmType.docs}`;
  const path = `/crm/objects/${HUBSPOT_VERSION}/${type}`;
  return {
    [`create_${one}`]: connectorOperation({
      kind: "create",
      docs,
      title: `Create a ${one}`,
      description: `Creates a ${one}.`,
      params: z.object(creationShape(crmType)),
      output: crmObject,
      example: example as JsonObject,
      run: (service, given) => {
        const dated = type === "notes" ? { hs_timestamp: service.now().toISOString() } : {};
        const properties = { ...dated, ...toProperties(crmType, given) };
        const json = { properties, associations: toAssociations(crmType, given) };
        return callService(service, { method: "POST", path, json });
      },
    }),
    [`update_${one}`]: connectorOperation({
      kind: "update",
      docs,
      title: `Update a ${one}`,
      description: `Changes the given properties of a ${one}.`,
      params: z.object({ id: crmId, ...changeShape(crmType) }),
      output: crmObject,
      example: { id: "512", ...z.object(changeShape(crmType)).partial().parse(example) } as JsonObject,
      run: (service, { id: given, ...values }) =>
        callService(service, {
          method: "PATCH",
          path: path + pathOf`/${given}`,
          json: { properties: toProperties(crmType, values) },
        }),
    }),
    [`delete_${one}`]: connectorOperation({
      kind: "delete",
      docs,
      title: `Delete a ${one}`,
      description: `Moves a ${one} to HubSpot's recycle bin.`,
      params: z.object({ id: crmId }),
      output: z.object({ id: z.string(), archived: z.literal(true) }),
      example: { id: "512" },
      run: async (service, { id: given }) => {
        await sendToService(service, { method: "DELETE", path: path + pathOf`/${given}` });
        return { id: String(given), archived: true };
      },
    }),
  };
}

export const HUBSPOT_OPERATIONS: Readonly<Record<string, GuidedOperation>> = Object.assign(
  {},
  ...CRM_TYPES.map(operationsOf),
  HUBSPOT_ASSOCIATION_OPERATIONS,
);
