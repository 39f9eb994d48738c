import { z } from "zod";
import { callService } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { Polled, TriggerDefinition } from "#lib/connectors/sdk/define-trigger";
import { crmObject, HUBSPOT_VERSION } from "#lib/connectors/vendors/hubspot/object-pages";
import { optionsFrom } from "#lib/contract/action/field-options";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The search index lags behind creation, so each poll looks back this far. */
const OVERLAP_MS = 180_000;
const PAGE = 100;
const PAGES_MAX = 5;
const DEFAULT_PROPERTIES = ["email", "firstname", "lastname", "phone", "company", "lifecyclestage", "createdate"];

const cursorSchema = z.object({
  /** The createdate of a contact in epoch milliseconds. */
  since: z.number(),
  /** The ids of the contacts at or after `since` that were already seen. */
  seen: z.record(z.string(), z.number()),
});
type Cursor = z.output<typeof cursorSchema>;
type Contact = z.output<typeof crmObject>;

const found = z.object({
  results: z.array(crmObject),
  paging: z.looseObject({ next: z.looseObject({ after: z.string() }).optional() }).optional(),
});

const params = z.object({
  properties: z
    .array(z.string().min(1))
    .max(100)
    .nullish()
    .meta({
      title: "Properties",
      description: `HubSpot's internal property names. If empty: ${DEFAULT_PROPERTIES.join(", ")}.`,
      ...optionsFrom("contacts_properties"),
    }),
});

export const HUBSPOT_TRIGGERS: Readonly<Record<string, TriggerDefinition>> = {
  new_contact: {
    title: "New contact",
    description: "A contact is created by a person or a program.",
    docs: "https://developers.hubspot.com/docs/api-reference/search/guide",
    params,
    data: crmObject,
    example: {
      id: "512",
      properties: { email: "ada@example.com", firstname: "Ada", lastname: "Lovelace" },
      createdAt: "2026-01-05T10:00:00.000Z",
      updatedAt: "2026-01-05T10:00:00.000Z",
      archived: false,
    },
    poll: {
      everySeconds: 60,
      list: async (service, { cursor, params: given }) => {
        const properties = params.parse(given).properties ?? DEFAULT_PROPERTIES;
        if (cursor !== null) return newContacts(service, properties, cursorSchema.parse(cursor));
        // Existing contacts are marked as seen and start nothing.
        const start = { since: service.now().getTime() - OVERLAP_MS, seen: {} };
        return { ...(await newContacts(service, properties, start)), events: [] };
      },
    },
  },
};

async function newContacts(service: ServiceContext, properties: readonly string[], cursor: Cursor): Promise<Polled> {
  const contacts: Contact[] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    const { results, paging } = await search(service, properties, cursor.since, after);
    contacts.push(...results);
    after = paging?.next?.after;
    pages += 1;
  } while (after !== undefined && pages < PAGES_MAX);
  const fresh = contacts.filter(({ id }) => !Object.hasOwn(cursor.seen, id));
  return {
    events: fresh.map((contact) => ({
      event: "new_contact",
      id: contact.id,
      occurredAt: new Date(contact.createdAt),
      data: contact as JsonObject,
    })),
    cursor: nextCursor(cursor, contacts, after !== undefined),
    isMore: after !== undefined && fresh.length > 0,
  };
}

/** https://developers.hubspot.com/docs/api-reference/search/guide: oldest first, starting at a given time. */
async function search(
  service: ServiceContext,
  properties: readonly string[],
  since: number,
  after: string | undefined,
): Promise<z.output<typeof found>> {
  const answer = await callService(service, {
    method: "POST",
    path: `/crm/objects/${HUBSPOT_VERSION}/contacts/search`,
    json: {
      filterGroups: [{ filters: [{ propertyName: "createdate", operator: "GTE", value: String(since) }] }],
      sorts: [{ propertyName: "createdate", direction: "ASCENDING" }],
      properties,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    },
  });
  const parsed = found.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new StepError("answer_unreadable", "The response can't be read: it does not match the HubSpot search API");
}

/**
 * Looks back far enough for contacts that the search indexes late. If more pages wait, continues from the last contact
 * found.
 */
function nextCursor(cursor: Cursor, contacts: readonly Contact[], isMore: boolean): Cursor {
  const times = contacts.map(({ id, createdAt }) => [id, Date.parse(createdAt)] as const);
  const newest = Math.max(cursor.since, ...times.map(([, at]) => at));
  const since = isMore ? newest : Math.max(cursor.since, newest - OVERLAP_MS);
  const seen = [...Object.entries(cursor.seen), ...times].filter(([, at]) => at >= since);
  return { since, seen: Object.fromEntries(seen) };
}
