import { z } from "zod";
import { callService, pathOf } from "#lib/connectors/sdk/call-service";
import { collectPages } from "#lib/connectors/sdk/collect-pages";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import { StepError } from "#lib/contract/step-error";

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

/** https://developers.hubspot.com/docs/api-reference/crm-properties-v3/guide */
function propertiesOf(type: string): OptionsLoader {
  return async (service) => {
    const { results } = await ask(service, pathOf`/crm/v3/properties/${type}`, { schema: properties });
    const shown = results.filter(({ hidden }) => !hidden);
    return { options: shown.map(({ name, label }) => ({ value: name, label, hint: name })) };
  };
}

/** https://developers.hubspot.com/docs/api-reference/crm-pipelines-v3/guide */
async function dealPipelines(service: ServiceContext) {
  const { results } = await ask(service, "/crm/v3/pipelines/deals", { schema: pipelines });
  return results.filter(({ archived }) => !archived);
}

export const HUBSPOT_OPTIONS: Readonly<Record<string, OptionsLoader>> = {
  contacts_properties: propertiesOf("contacts"),
  companies_properties: propertiesOf("companies"),
  deals_properties: propertiesOf("deals"),
  // https://developers.hubspot.com/docs/api-reference/crm-crm-owners-v3/guide: requires the scope
  // crm.objects.owners.read.
  owners: async (service) => {
    const { items } = await collectPages(service, { limit: OWNERS_MAX, from: "" }, async (after) => {
      const query = { limit: OWNERS_PAGE, after: after || null };
      const { results, paging } = await ask(service, "/crm/v3/owners", { schema: owners, query });
      return { items: results, next: paging?.next?.after ?? null };
    });
    const options = items.map(({ id, email, firstName, lastName }) => {
      const name = [firstName, lastName].filter(Boolean).join(" ");
      return { value: id, label: name || (email ?? ""), ...(name && email ? { hint: email } : {}) };
    });
    return { options };
  },
  deal_pipelines: async (service) => ({
    options: (await dealPipelines(service)).map(({ id, label }) => ({ value: id, label })),
  }),
  deal_stages: async (service, { params: { pipeline: wanted } }) => {
    const found = (await dealPipelines(service)).filter(({ id }) => wanted === undefined || id === wanted);
    const options = found.flatMap(({ label: pipeline, stages }) =>
      stages
        .filter(({ archived }) => !archived)
        .map(({ id, label }) => ({ value: id, label, ...(found.length > 1 ? { hint: pipeline } : {}) })),
    );
    return { options };
  },
};
