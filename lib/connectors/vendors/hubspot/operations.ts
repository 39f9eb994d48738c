import { z } from "zod";
import { callService, pathOf, sendToService } from "#lib/connectors/sdk/call-service";
import { collectPages, maxItems } from "#lib/connectors/sdk/collect-pages";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { optionsFrom } from "#lib/contract/field-options";
import { StepError } from "#lib/contract/step-error";

const DOCS = "https://developers.hubspot.com/docs/api-reference/crm-";
/**
 * Page size limit of the search; https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide allows 100 for
 * lists.
 */
const PAGE_MAX = 200;
const LIST_PAGE_MAX = 100;

/** A CRM object as HubSpot returns it. */
export const crmObject = z.looseObject({
  id: z.string(),
  properties: z.record(z.string(), z.string().nullable()),
  createdAt: z.string(),
  updatedAt: z.string(),
  archived: z.boolean().optional(),
});

const page = z.object({
  results: z.array(crmObject),
  paging: z.looseObject({ next: z.looseObject({ after: z.string() }).optional() }).optional(),
});

const answeredPage = page.extend({ total: z.int().optional() });

const id = z.union([z.string().min(1), z.number()]).meta({ title: "Id" });
const owner = z
  .string()
  .min(1)
  .nullish()
  .meta({
    title: "Owner",
    description: "The owner's hubspot_owner_id.",
    ...optionsFrom("owners"),
  });

/** The properties to write by name, except those that have their own field. */
function valuesOf(type: string) {
  return z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).meta({
    title: "Properties",
    description: "Values by HubSpot's internal property names.",
    ...optionsFrom(`${type}_properties`),
  });
}

function namesOf(type: string) {
  return z
    .array(z.string())
    .nullish()
    .meta({
      title: "Properties to return",
      description: "HubSpot's default properties if empty.",
      ...optionsFrom(`${type}_properties`),
    });
}

/** Maps the fields outside `properties` to the property they write. */
const OWN_FIELDS = { owner_id: "hubspot_owner_id", pipeline: "pipeline", stage: "dealstage" } as const;
const DEAL_FIELDS = {
  pipeline: z
    .string()
    .min(1)
    .nullish()
    .meta({ title: "Pipeline", ...optionsFrom("deal_pipelines") }),
  stage: z
    .string()
    .min(1)
    .nullish()
    .meta({ title: "Stage", ...optionsFrom("deal_stages", { dependsOn: ["pipeline"] }) }),
};

function toProperties({
  properties,
  ...own
}: { properties: object } & { [Name in keyof typeof OWN_FIELDS]?: unknown }) {
  const named = Object.entries(OWN_FIELDS).map(([field, name]) => [name, own[field as keyof typeof own]]);
  return { ...present(Object.fromEntries(named)), ...properties };
}
const limit = z.coerce.number().int().min(1).max(PAGE_MAX).nullish().meta({ title: "Page size" });
const after = z.string().nullish().meta({ title: "After", description: "The paging.next.after of the previous page." });

const searchParams = z.object({
  query: z
    .string()
    .max(3_000)
    .nullish()
    .meta({ title: "Text", description: "Searched for in the default properties." }),
  filter_groups: z
    .array(z.object({ filters: z.array(z.record(z.string(), z.unknown())).min(1).max(6) }))
    .max(5)
    .nullish()
    .meta({
      title: "Filters",
      description: "The filterGroups of the search API: [{filters: [{propertyName, operator, value}]}].",
    }),
  sorts: z.array(z.record(z.string(), z.unknown())).max(1).nullish().meta({ title: "Sort by" }),
  limit,
  after,
  max_items: maxItems,
});

/** Returns the `query` of a request that names properties. */
function propertiesQuery(properties: readonly string[] | null | undefined) {
  return properties && properties.length > 0 ? { properties: properties.join(",") } : {};
}

interface CrmType {
  /** The name in paths: `contacts`. */
  type: string;
  one: string;
  /** Additional fields of create and update, outside the properties. */
  fields?: typeof DEAL_FIELDS;
  /** Example params of create_…, which must be valid in a published workflow. */
  example: Record<string, string>;
}

/** Defines the operations of one object type. HubSpot's object APIs are the same for each type. */
function operationsOf({ type, one, fields, example }: CrmType): Record<string, GuidedOperation> {
  const docs = `${DOCS}${type}-v3/guide`;
  const path = `/crm/v3/objects/${type}`;
  const names = namesOf(type);
  const written = { properties: valuesOf(type), owner_id: owner, ...fields };
  return {
    [`get_${one}`]: connectorOperation({
      ...{ kind: "read", docs, title: `Get a ${one}`, description: `Returns a ${one} by its id.` },
      params: z.object({ id, properties: names }),
      output: crmObject,
      example: { id: "512" },
      run: (service, { id: given, properties }) =>
        callService(service, { method: "GET", path: path + pathOf`/${given}`, query: propertiesQuery(properties) }),
    }),
    [`list_${type}`]: connectorOperation({
      ...{ kind: "search", docs, title: `List ${type}`, description: `Returns a page of ${type}.` },
      params: z.object({ limit, after, max_items: maxItems, properties: names }),
      output: page,
      example: { limit: 20 },
      run: (service, { properties, ...given }) =>
        listPages(service, given, LIST_PAGE_MAX, (query) =>
          callService(service, { method: "GET", path, query: { ...query, ...propertiesQuery(properties) } }),
        ),
    }),
    [`search_${type}`]: connectorOperation({
      ...{ kind: "search", title: `Search ${type}`, description: `Returns a page of the ${type} that match.` },
      docs: "https://developers.hubspot.com/docs/api-reference/search/guide",
      params: searchParams.extend({ properties: names }),
      output: page.extend({ total: z.int() }),
      example: { query: "ada@example.com", limit: 5 },
      run: (service, { filter_groups: filterGroups, limit: size, after: from, max_items, ...given }) =>
        listPages(service, { limit: size, after: from, max_items }, PAGE_MAX, (query) => {
          const json = present({ filterGroups, ...given, ...query });
          return callService(service, { method: "POST", path: `${path}/search`, json });
        }),
    }),
    [`create_${one}`]: connectorOperation({
      ...{ kind: "create", docs, title: `Create a ${one}`, description: `Creates a ${one}.` },
      params: z.object(written),
      output: crmObject,
      example: { properties: example },
      run: (service, given) =>
        callService(service, { method: "POST", path, json: { properties: toProperties(given) } }),
    }),
    [`update_${one}`]: connectorOperation({
      ...{
        kind: "update",
        docs,
        title: `Update a ${one}`,
        description: `Changes the given properties of a ${one}.`,
      },
      params: z.object({ id, ...written }),
      output: crmObject,
      example: { id: "512", properties: example },
      run: (service, { id: given, ...values }) =>
        callService(service, {
          method: "PATCH",
          path: path + pathOf`/${given}`,
          json: { properties: toProperties(values) },
        }),
    }),
    [`delete_${one}`]: connectorOperation({
      ...{ kind: "delete", docs, title: `Delete a ${one}`, description: `Moves a ${one} to HubSpot's recycle bin.` },
      params: z.object({ id }),
      output: z.object({ id: z.string(), archived: z.literal(true) }),
      example: { id: "512" },
      run: async (service, { id: given }) => {
        await sendToService(service, { method: "DELETE", path: path + pathOf`/${given}` });
        return { id: String(given), archived: true };
      },
    }),
  };
}

interface PageRequest {
  limit?: number | null | undefined;
  after?: string | null | undefined;
  max_items?: number | null | undefined;
}

/**
 * Returns one page in HubSpot's format. With `max_items`, follows pages and returns all items as one page.
 * @throws StepError
 */
async function listPages(
  service: ServiceContext,
  { max_items: limit, ...first }: PageRequest,
  pageMax: number,
  ask: (query: Omit<PageRequest, "max_items">) => Promise<unknown>,
): Promise<unknown> {
  if (!limit) return ask(first);
  const size = Math.min(first.limit ?? pageMax, pageMax);
  let total: number | undefined;
  const from = first.after ?? "";
  const { items, next } = await collectPages(service, { limit, from }, async (after, wanted) => {
    const parsed = answeredPage.safeParse(await ask({ limit: Math.min(size, wanted), after: after || null }));
    if (!parsed.success)
      throw new StepError("answer_unreadable", "The response can't be read: it is not a page of objects");
    total ??= parsed.data.total;
    return { items: parsed.data.results, next: parsed.data.paging?.next?.after ?? null };
  });
  const paging = next === null ? {} : { paging: { next: { after: next } } };
  return { results: items, ...paging, ...(total === undefined ? {} : { total }) };
}

function present(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}

export const HUBSPOT_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  ...operationsOf({ type: "contacts", one: "contact", example: { email: "ada@example.com", firstname: "Ada" } }),
  ...operationsOf({ type: "companies", one: "company", example: { name: "Example Ltd", domain: "example.com" } }),
  ...operationsOf({
    type: "deals",
    one: "deal",
    fields: DEAL_FIELDS,
    example: { dealname: "Renewal", amount: "1200" },
  }),
};
