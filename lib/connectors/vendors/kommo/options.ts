import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import { getFromKommo } from "#lib/connectors/vendors/kommo/call-kommo";
import { listFromKommo } from "#lib/connectors/vendors/kommo/kommo-request";
import type { FieldOption } from "#lib/contract/action/field-options";
import { StepError } from "#lib/contract/run/step-error";

const ALL = 1_000;

/** Won and lost have the same ids in every pipeline. */
const COMMON_STAGES: ReadonlySet<number> = new Set([142, 143]);

const named = z.looseObject({ id: z.number(), name: z.string().nullish(), email: z.string().nullish() });
const pipeline = z.looseObject({
  id: z.number(),
  name: z.string(),
  is_main: z.boolean().nullish(),
  is_archive: z.boolean().nullish(),
  _embedded: z.looseObject({ statuses: z.array(z.looseObject({ id: z.number(), name: z.string() })) }),
});
const account = z.looseObject({
  _embedded: z.looseObject({ task_types: z.array(z.looseObject({ id: z.number(), name: z.string() })) }),
});

/** Defines a loader for a collection of objects with names. */
function collection(path: string): OptionsLoader {
  return async (service) => {
    const { items } = await listFromKommo(service, path, { max_items: ALL });
    const options = read(z.array(named), items).map(({ id, name, email }) => ({
      value: id,
      label: name ?? "",
      ...(email ? { hint: email } : {}),
    }));
    return { options };
  };
}

/** https://www.amocrm.ru/developers/content/crm_platform/leads_pipelines: each pipeline with its stages. */
async function listPipelines(service: ServiceContext): Promise<z.output<typeof pipeline>[]> {
  const { items } = await listFromKommo(service, "/leads/pipelines", {});
  return read(z.array(pipeline), items).filter(({ is_archive: isArchived }) => !isArchived);
}

function stagesOf(pipelines: readonly z.output<typeof pipeline>[]): FieldOption[] {
  const isSeveral = pipelines.length > 1;
  return pipelines.flatMap(({ name, _embedded: { statuses } }) =>
    statuses.map(({ id, name: label }) => {
      const hint = COMMON_STAGES.has(id) ? "All pipelines" : name;
      return { value: id, label, ...(isSeveral ? { hint } : {}) };
    }),
  );
}

export const KOMMO_OPTIONS: Readonly<Record<string, OptionsLoader>> = {
  users: collection("/users"),
  catalogs: collection("/catalogs"),
  loss_reasons: collection("/leads/loss_reasons"),
  pipelines: async (service) => ({
    options: (await listPipelines(service)).map(({ id, name, is_main: isMain }) => ({
      value: id,
      label: name,
      ...(isMain ? { hint: "main" } : {}),
    })),
  }),
  stages: async (service, { params: { pipeline_id: wanted } }) => {
    const pipelines = await listPipelines(service);
    return { options: stagesOf(pipelines.filter(({ id }) => wanted === undefined || String(id) === wanted)) };
  },
  // https://www.amocrm.ru/developers/content/crm_platform/account-info
  task_types: async (service) => {
    const answer = await getFromKommo(service, { method: "GET", path: "/account", query: { with: "task_types" } });
    const { task_types: types } = read(account, answer)._embedded;
    return { options: types.map(({ id, name }) => ({ value: id, label: name })) };
  },
};

function read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new StepError("answer_unreadable", "The response can't be read: it does not match the Kommo API");
}
