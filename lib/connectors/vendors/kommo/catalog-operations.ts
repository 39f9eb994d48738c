import { z } from "zod";
import { pathOf } from "#lib/connectors/sdk/call-service";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { getFromKommo } from "#lib/connectors/vendors/kommo/call-kommo";
import { elementFields, filterParam, kommoId, pageParams, toKommo } from "#lib/connectors/vendors/kommo/fields";
import { kommoObject, kommoPage, listFromKommo, writeOneToKommo } from "#lib/connectors/vendors/kommo/kommo-request";
import { optionsFrom } from "#lib/contract/field-options";

const docs = "https://www.amocrm.ru/developers/content/crm_platform/catalogs-api";
const catalogId = kommoId.meta({ title: "List", ...optionsFrom("catalogs") });
const elementId = kommoId.meta({ title: "Element id" });

/** Lists, such as the products, and their elements. The API has no deletion of elements. */
export const KOMMO_CATALOG_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  list_catalogs: connectorOperation({
    ...{ kind: "search", docs, title: "List lists", description: "The lists of the account: products and others." },
    params: z.object(pageParams),
    output: kommoPage,
    example: {},
    run: (service, params) => listFromKommo(service, "/catalogs", params),
  }),
  get_catalog: connectorOperation({
    ...{ kind: "read", docs, title: "Get a list", description: "What a list is and may hold." },
    params: z.object({ catalog_id: catalogId }),
    output: kommoObject,
    example: { catalog_id: 60 },
    run: (service, { catalog_id: catalog }) =>
      getFromKommo(service, { method: "GET", path: pathOf`/catalogs/${catalog}` }),
  }),
  list_catalog_elements: connectorOperation({
    ...{ kind: "search", docs, title: "List the elements of a list", description: "A page of them." },
    params: z.object({ catalog_id: catalogId, filter: filterParam, ...pageParams }),
    output: kommoPage,
    example: { catalog_id: 60, limit: 50 },
    run: (service, { catalog_id: catalog, ...params }) =>
      listFromKommo(service, pathOf`/catalogs/${catalog}/elements`, params),
  }),
  search_catalog_elements: connectorOperation({
    ...{ kind: "search", docs, title: "Search a list", description: "A page of the elements that hold the text." },
    params: z.object({ catalog_id: catalogId, query: z.string().min(1).meta({ title: "Text" }), ...pageParams }),
    output: kommoPage,
    example: { catalog_id: 60, query: "Chair" },
    run: (service, { catalog_id: catalog, ...params }) =>
      listFromKommo(service, pathOf`/catalogs/${catalog}/elements`, params),
  }),
  get_catalog_element: connectorOperation({
    ...{ kind: "read", docs, title: "Get an element of a list", description: "One by its id." },
    params: z.object({ catalog_id: catalogId, id: elementId }),
    output: kommoObject,
    example: { catalog_id: 60, id: 610 },
    run: (service, { catalog_id: catalog, id: given }) =>
      getFromKommo(service, { method: "GET", path: pathOf`/catalogs/${catalog}/elements/${given}` }),
  }),
  create_catalog_element: connectorOperation({
    ...{ kind: "create", docs, title: "Create an element of a list", description: "A new product, say." },
    params: z.object({
      catalog_id: catalogId,
      ...elementFields,
      name: z.string().min(1, "is required").meta({ title: "Name" }),
    }),
    output: kommoObject,
    example: { catalog_id: 60, name: "Chair" },
    run: (service, { catalog_id: catalog, ...values }) =>
      writeOneToKommo(service, { method: "POST", path: pathOf`/catalogs/${catalog}/elements`, one: toKommo(values) }),
  }),
  update_catalog_element: connectorOperation({
    ...{ kind: "update", docs, title: "Update an element of a list", description: "Other values of its fields." },
    params: z.object({ catalog_id: catalogId, id: elementId, ...elementFields }),
    output: kommoObject,
    example: { catalog_id: 60, id: 610, name: "Armchair" },
    run: (service, { catalog_id: catalog, id: given, ...values }) =>
      getFromKommo(service, {
        method: "PATCH",
        path: pathOf`/catalogs/${catalog}/elements/${given}`,
        json: toKommo(values),
      }),
  }),
};
