import { z } from "zod";
import { pathOf } from "#lib/connectors/sdk/call-service";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { getFromKommo } from "#lib/connectors/vendors/kommo/call-kommo";
import { elementFields, filterParam, kommoId, pageParams, toKommo } from "#lib/connectors/vendors/kommo/fields";
import { kommoObject, kommoPage, listFromKommo, writeOneToKommo } from "#lib/connectors/vendors/kommo/kommo-request";
import { optionsFrom } from "#lib/contract/action/field-options";

const docs = "https://www.amocrm.ru/developers/content/crm_platform/catalogs-api";
const catalogId = kommoId.meta({ title: "List", ...optionsFrom("catalogs") });
const elementId = kommoId.meta({ title: "Element id" });

/** Operations on lists, such as products, and their elements. The API cannot delete elements. */
export const KOMMO_CATALOG_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  list_catalogs: connectorOperation({
    kind: "search",
    docs,
    title: "List lists",
    description: "Returns the lists of the account, such as products.",
    params: z.object(pageParams),
    output: kommoPage,
    example: {},
    run: (service, params) => listFromKommo(service, "/catalogs", params),
  }),
  get_catalog: connectorOperation({
    kind: "read",
    docs,
    title: "Get a list",
    description: "Returns the name and settings of a list.",
    params: z.object({ catalog_id: catalogId }),
    output: kommoObject,
    example: { catalog_id: 60 },
    run: (service, { catalog_id: catalog }) =>
      getFromKommo(service, { method: "GET", path: pathOf`/catalogs/${catalog}` }),
  }),
  list_catalog_elements: connectorOperation({
    kind: "search",
    docs,
    title: "List list elements",
    description: "Returns a page of the elements of a list.",
    params: z.object({ catalog_id: catalogId, filter: filterParam, ...pageParams }),
    output: kommoPage,
    example: { catalog_id: 60, limit: 50 },
    run: (service, { catalog_id: catalog, ...params }) =>
      listFromKommo(service, pathOf`/catalogs/${catalog}/elements`, params),
  }),
  search_catalog_elements: connectorOperation({
    kind: "search",
    docs,
    title: "Search a list",
    description: "Returns a page of the elements that contain the text.",
    params: z.object({ catalog_id: catalogId, query: z.string().min(1).meta({ title: "Text" }), ...pageParams }),
    output: kommoPage,
    example: { catalog_id: 60, query: "Chair" },
    run: (service, { catalog_id: catalog, ...params }) =>
      listFromKommo(service, pathOf`/catalogs/${catalog}/elements`, params),
  }),
  get_catalog_element: connectorOperation({
    kind: "read",
    docs,
    title: "Get a list element",
    description: "Returns a list element by its id.",
    params: z.object({ catalog_id: catalogId, id: elementId }),
    output: kommoObject,
    example: { catalog_id: 60, id: 610 },
    run: (service, { catalog_id: catalog, id: given }) =>
      getFromKommo(service, { method: "GET", path: pathOf`/catalogs/${catalog}/elements/${given}` }),
  }),
  create_catalog_element: connectorOperation({
    kind: "create",
    docs,
    title: "Create a list element",
    description: "Adds an element to a list, such as a product.",
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
    kind: "update",
    docs,
    title: "Update a list element",
    description: "Changes the given fields of a list element.",
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
