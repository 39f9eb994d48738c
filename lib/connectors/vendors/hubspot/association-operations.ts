import { z } from "zod";
import { callService, pathOf, sendToService } from "#lib/connectors/sdk/call-service";
import { maxItems } from "#lib/connectors/sdk/collect-pages";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { crmId } from "#lib/connectors/vendors/hubspot/object-fields";
import {
  after,
  crmPageOf,
  HUBSPOT_VERSION,
  listCrmPages,
  pageSize,
} from "#lib/connectors/vendors/hubspot/object-pages";
import { numeric } from "#lib/support/numbers/numeric";

const docs = `https://developers.hubspot.com/docs/api-reference/${HUBSPOT_VERSION}/crm/associations/associate-records/guide`;
/** https://github.com/HubSpot/HubSpot-public-api-spec-collection, CRM/Associations: "Limit 500 per call". */
const PAGE_MAX = 500;

const objectType = z.string().min(1, "is required").max(100);
const ends = {
  from_type: objectType.meta({ title: "Object type", description: "contacts, companies, deals, tickets or notes." }),
  from_id: crmId,
  to_type: objectType.meta({ title: "Other object type" }),
};
const pair = { ...ends, to_id: crmId.meta({ title: "Other id" }) };
const linked = z.object({ from_id: z.string(), to_id: z.string(), associated: z.boolean() });
const EXAMPLE = { from_type: "deals", from_id: "77", to_type: "contacts", to_id: "512" };

const category = z.enum(["HUBSPOT_DEFINED", "USER_DEFINED", "INTEGRATOR_DEFINED"]);

export const HUBSPOT_ASSOCIATION_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  list_associations: connectorOperation({
    kind: "search",
    docs,
    title: "List associations",
    description: "Returns a page of the objects of one type that an object is associated with.",
    params: z.object({ ...ends, limit: pageSize(PAGE_MAX), after, max_items: maxItems }),
    output: crmPageOf(z.looseObject({ toObjectId: z.union([z.string(), z.number()]) })),
    example: { from_type: "deals", from_id: "77", to_type: "contacts" },
    run: (service, { from_type: type, from_id: id, to_type: other, ...page }) => {
      const path = pathOf`/crm/objects/${HUBSPOT_VERSION}/${type}/${id}/associations/${other}`;
      return listCrmPages(service, page, PAGE_MAX, (query) =>
        callService(service, { method: "GET", path, query: { ...query } }),
      );
    },
  }),
  associate_objects: connectorOperation({
    kind: "update",
    docs,
    title: "Associate two objects",
    description: "Associates two objects, with a label if you name its type. Repeating it changes nothing.",
    params: z.object({
      ...pair,
      label_id: numeric(z.number().int())
        .nullish()
        .meta({ title: "Label", description: "The associationTypeId of a label. The default association if empty." }),
      label_category: category
        .nullish()
        .meta({ title: "Category of the label", description: "USER_DEFINED if empty." }),
    }),
    output: linked,
    example: EXAMPLE,
    run: async (service, { from_type: type, from_id: id, to_type: other, to_id: otherId, ...label }) => {
      const from = pathOf`/crm/objects/${HUBSPOT_VERSION}/${type}/${id}/associations`;
      const to = pathOf`/${other}/${otherId}`;
      const { label_id: associationTypeId, label_category: associationCategory } = label;
      const json = [{ associationCategory: associationCategory ?? "USER_DEFINED", associationTypeId }];
      const isLabeled = associationTypeId !== null && associationTypeId !== undefined;
      const request = isLabeled ? { path: `${from}${to}`, json } : { path: `${from}/default${to}` };
      await sendToService(service, { method: "PUT", ...request });
      return { from_id: String(id), to_id: String(otherId), associated: true };
    },
  }),
  remove_association: connectorOperation({
    kind: "delete",
    docs,
    title: "Remove the associations of two objects",
    description: "Removes all associations between two objects.",
    params: z.object(pair),
    output: linked,
    example: EXAMPLE,
    run: async (service, { from_type: type, from_id: id, to_type: other, to_id: otherId }) => {
      const path = pathOf`/crm/objects/${HUBSPOT_VERSION}/${type}/${id}/associations/${other}/${otherId}`;
      await sendToService(service, { method: "DELETE", path });
      return { from_id: String(id), to_id: String(otherId), associated: false };
    },
  }),
};
