import { z } from "zod";
import { callService, pathOf } from "#lib/connectors/sdk/call-service";
import { collectPages } from "#lib/connectors/sdk/collect-pages";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import { HUBSPOT_VERSION } from "#lib/connectors/vendors/hubspot/object-pages";
import { StepError } from "#lib/contract/run/step-error";

const OWNERS_MAX = 1_000;
const OWNERS_PAGE = 500;

const word = z.string().nullish();
const owners = z.object({
  results: z.array(z.looseObject({ id: z.string(), email: word, firstName: word, lastName: word })),
  paging: z.looseObject({ next: z.looseObject({ after: z.string() }).optional() }).optional(),
});
const stage = z.looseObject({ id: z.string(), label: z.string(), archived: z.boolean().optional() });
const pipelines = z.object({ results: z.array(stage.extend({ stages: z.array(stage) })) });
const properties = z.object({
  results: z.array(z.looseObject({ name: z.string(), label: z.string(), hidden: z.boolean().optional() })),
});

async function ask<Schema extends z.ZodType>(
  service: ServiceContext,
  path: string,
  { schema, query = {} }: { schema: Schema; query?: Record<string, string | number | null> },
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await callService(service, { method: "GET", path, query }));
  if (parsed.success) return parsed.data;
  throw new StepError("answer_unreadable", "The response can't be read: it does not match the HubSpot API");
}

/** https://developers.hubspot.com/docs/api-reference/2026-03/crm/properties/guide */
function propertiesOf(type: string): OptionsLoader {
  return async (service) => {
    const { results } = await ask(service, pathOf`/crm/properties/${HUBSPOT_VERSION}/${type}`, { schema: properties });
    const shown = results.filter(({ hidden }) => !hidden);
    return { options: shown.map(({ name, label }) => ({ value: name, label, hint: name })) };
  };
}

/** https://developers.hubspot.com/docs/api-reference/2026-03/crm/pipelines/guide */
async function listPipelines(service: ServiceContext, type: string) {
  const { results } = await ask(service, pathOf`/crm/pipelines/${HUBSPOT_VERSION}/${type}`, { schema: pipelines });
  return results.filter(({ archived }) => !archived);
}

function pipelinesOf(type: string): OptionsLoader {
  return async (service) => ({
    options: (await listPipelines(service, type)).map(({ id, label }) => ({ value: id, label })),
  });
}

function stagesOf(type: string): OptionsLoader {
  return async (service, { params: { pipeline: wanted } }) => {
    const found = (await listPipelines(service, type)).filter(({ id }) => wanted === undefined || id === wanted);
    const options = found.flatMap(({ label: pipeline, stages }) =>
      stages
        .filter(({ archived }) => !archived)
        .map(({ id, label }) => ({ value: id, label, ...(found.length > 1 ? { hint: pipeline } : {}) })),
    );
    return { options };
  };
}

export const HUBSPOT_OPTIONS: Readonly<Record<string, OptionsLoader>> = {
  contacts_properties: propertiesOf("contacts"),
  companies_properties: propertiesOf("companies"),
  deals_properties: propertiesOf("deals"),
  tickets_properties: propertiesOf("tickets"),
  notes_properties: propertiesOf("notes"),
  // Requires the scope crm.objects.owners.read.
  owners: async (service) => {
    const { items } = await collectPages(service, { limit: OWNERS_MAX, from: "" }, async (after) => {
      const query = { limit: OWNERS_PAGE, after: after || null };
      const { results, paging } = await ask(service, `/crm/owners/${HUBSPOT_VERSION}`, { schema: owners, query });
      return { items: results, next: paging?.next?.after ?? null };
    });
    const options = items.map(({ id, email, firstName, lastName }) => {
      const name = [firstName, lastName].filter(Boolean).join(" ");
      return { value: id, label: name || (email ?? ""), ...(name && email ? { hint: email } : {}) };
    });
    return { options };
  },
  deal_pipelines: pipelinesOf("deals"),
  deal_stages: stagesOf("deals"),
  ticket_pipelines: pipelinesOf("tickets"),
  ticket_stages: stagesOf("tickets"),
};
