import { z } from "zod";
import { pathOf } from "#lib/connectors/sdk/call-service";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { callKommo, getFromKommo } from "#lib/connectors/vendors/kommo/call-kommo";
import { filterParam, kommoId, orderParam, pageParams, withoutEmpty } from "#lib/connectors/vendors/kommo/fields";
import { kommoObject, kommoPage, listFromKommo, writeOneToKommo } from "#lib/connectors/vendors/kommo/kommo-request";
import { optionsFrom } from "#lib/contract/action/field-options";
import { StepError } from "#lib/contract/run/step-error";
import { numeric } from "#lib/support/numbers/numeric";

const NOTES = "https://www.amocrm.ru/developers/content/crm_platform/events-and-notes";
const LINKS = "https://developers.kommo.com/reference/linked-entities";
const OWNERS = { lead: "leads", contact: "contacts", company: "companies" } as const;
type Owner = keyof typeof OWNERS;

const text = z.string().min(1, "is required").max(20_000).meta({ title: "Text" });
const ownerParam = z.enum(["leads", "contacts", "companies"]).meta({ title: "Object type" });
const noteParams = { entity: ownerParam, id: kommoId.meta({ title: "Note id" }) };

/** Defines the note operations of one object type. */
function notesOf(owner: Owner): Record<string, GuidedOperation> {
  const path = `/${OWNERS[owner]}`;
  return {
    [`add_${owner}_note`]: connectorOperation({
      kind: "create",
      docs: NOTES,
      title: `Add a note to a ${owner}`,
      description: `Adds a text note to the feed of a ${owner}.`,
      params: z.object({ id: kommoId.meta({ title: `Id of the ${owner}` }), text }),
      output: kommoObject,
      example: { id: 512, text: "Called back" },
      run: (service, { id: given, text: words }) => {
        const one = { entity_id: given, note_type: "common", params: { text: words } };
        return writeOneToKommo(service, { method: "POST", path: `${path}/notes`, one });
      },
    }),
    [`list_${owner}_notes`]: connectorOperation({
      kind: "search",
      docs: NOTES,
      title: `List the notes of a ${owner}`,
      description: `Returns a page of the notes in the feed of a ${owner}.`,
      params: z.object({
        id: kommoId.meta({ title: `Id of the ${owner}` }),
        filter: filterParam,
        order: orderParam,
        ...pageParams,
      }),
      output: kommoPage,
      example: { id: 512, filter: { note_type: ["common"] } },
      run: (service, { id: given, ...params }) => listFromKommo(service, path + pathOf`/${given}/notes`, params),
    }),
  };
}

const targetParams = {
  to_entity_id: kommoId.meta({ title: "Target id" }),
  to_entity_type: z.enum(["leads", "contacts", "companies", "catalog_elements"]).meta({ title: "Target type" }),
  catalog_id: kommoId
    .nullish()
    .meta({ title: "List", description: "Required if the target is a list element.", ...optionsFrom("catalogs") }),
};
const quantity = numeric(z.number().min(0))
  .nullish()
  .meta({ title: "Quantity", description: "For a list element only." });
const isMain = z.boolean().nullish().meta({ title: "Main contact" });

type Target = z.output<z.ZodObject<typeof targetParams>>;

/** Builds a link. Elements of a list are identified together with their list. */
function linkOf({ to_entity_id: id, to_entity_type: type, catalog_id: catalogId }: Target, more: object) {
  if (type === "catalog_elements" && !catalogId) throw new StepError("VALIDATION_ERROR", "catalog_id: is required");
  const metadata = withoutEmpty({ catalog_id: catalogId, ...more });
  return { to_entity_id: id, to_entity_type: type, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
}

function linksOf(owner: Owner): Record<string, GuidedOperation> {
  const path = `/${OWNERS[owner]}`;
  const own = { id: kommoId.meta({ title: `Id of the ${owner}` }) };
  return {
    [`list_${owner}_links`]: connectorOperation({
      kind: "search",
      docs: LINKS,
      title: `List the links of a ${owner}`,
      description: `Returns the ids and types of the objects linked to a ${owner}.`,
      params: z.object(own),
      output: kommoPage,
      example: { id: 512 },
      run: (service, { id: given }) => listFromKommo(service, path + pathOf`/${given}/links`, {}),
    }),
    [`link_${owner}`]: connectorOperation({
      kind: "update",
      docs: LINKS,
      title: `Link a ${owner}`,
      description: `Links a ${owner} to an existing object.`,
      params: z.object({ ...own, ...targetParams, quantity, is_main: isMain }),
      output: z.looseObject({ to_entity_id: z.number(), to_entity_type: z.string() }),
      example: { id: 512, to_entity_id: 4711, to_entity_type: owner === "contact" ? "companies" : "contacts" },
      run: (service, { id: given, quantity: amount, is_main: main, ...target }) =>
        writeOneToKommo(service, {
          method: "POST",
          path: path + pathOf`/${given}/link`,
          one: linkOf(target, { quantity: amount, is_main: main }),
        }),
    }),
    [`unlink_${owner}`]: connectorOperation({
      kind: "delete",
      docs: LINKS,
      title: `Unlink a ${owner}`,
      description: "Removes a link. Both objects are kept.",
      params: z.object({ ...own, ...targetParams }),
      output: z.object({ id: z.number(), unlinked: z.literal(true) }),
      example: { id: 512, to_entity_id: 4711, to_entity_type: owner === "contact" ? "companies" : "contacts" },
      run: async (service, { id: given, ...target }) => {
        const json = [linkOf(target, {})];
        await callKommo(service, { method: "POST", path: path + pathOf`/${given}/unlink`, json });
        return { id: given, unlinked: true };
      },
    }),
  };
}

export const KOMMO_ATTACHED_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  ...notesOf("lead"),
  ...linksOf("lead"),
  ...notesOf("contact"),
  ...linksOf("contact"),
  ...notesOf("company"),
  ...linksOf("company"),
  get_note: connectorOperation({
    kind: "read",
    docs: NOTES,
    title: "Get a note",
    description: "Returns a note by its id.",
    params: z.object(noteParams),
    output: kommoObject,
    example: { entity: "leads", id: 900 },
    run: (service, { entity, id: given }) =>
      getFromKommo(service, { method: "GET", path: pathOf`/${entity}/notes/${given}` }),
  }),
  update_note: connectorOperation({
    kind: "update",
    docs: NOTES,
    title: "Update a note",
    description: "Replaces the text of a note.",
    params: z.object({ ...noteParams, entity_id: kommoId.meta({ title: "Id of the object with the note" }), text }),
    output: kommoObject,
    example: { entity: "leads", entity_id: 512, id: 900, text: "Called back twice" },
    run: (service, { entity, entity_id: owner, id: given, text: words }) =>
      writeOneToKommo(service, {
        method: "PATCH",
        path: pathOf`/${entity}/notes`,
        one: { id: given, entity_id: owner, note_type: "common", params: { text: words } },
      }),
  }),
};
