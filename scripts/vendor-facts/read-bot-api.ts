import { z } from "zod";
import type { PublishedFacts, PublishedField, PublishedFields } from "#lib/connectors/vendors/published-facts.fixture";

const field = z.object({
  name: z.string(),
  types: z.array(z.string()),
  required: z.boolean(),
  description: z.string(),
});
const described = z.object({ description: z.array(z.string()).default([]), fields: z.array(field).default([]) });
const botApi = z.object({
  version: z.string(),
  methods: z.record(z.string(), described),
  types: z.record(z.string(), described.extend({ subtypes: z.array(z.string()).default([]) })),
});
type BotApi = z.output<typeof botApi>;

const DEPTH = 2;

/** Reads the methods of the Telegram Bot API in the form of telegram-bot-api-spec. */
export function readBotApi(document: unknown): { version: string; methods: PublishedFacts["methods"] } {
  const api = botApi.parse(document);
  const methods = Object.entries(api.methods).map(([name, { description, fields }]) => [
    `POST /${name}`,
    {
      ...(description.some((sentence) => /\bdeprecated\b/i.test(sentence)) ? { deprecated: true as const } : {}),
      body: Object.fromEntries(fields.map((one) => [one.name, readOne(api, one, DEPTH)])),
    },
  ]);
  return { version: api.version, methods: Object.fromEntries(methods) };
}

function readOne(
  api: BotApi,
  { name, types, required, description }: z.output<typeof field>,
  depth: number,
): PublishedField {
  const fields = depth === 0 ? undefined : fieldsOfTypes(api, types, depth - 1);
  return {
    ...(required ? { required } : {}),
    ...(/^(optional\. )?deprecated\b/i.test(description) ? { deprecated: true } : {}),
    // The document does not list the kinds of updates as values. They are the fields of Update.
    ...(name === "allowed_updates" ? { values: updateKinds(api) } : {}),
    ...(fields === undefined ? {} : { fields }),
  };
}

function updateKinds(api: BotApi): string[] {
  return (api.types.Update?.fields ?? []).map(({ name }) => name).filter((name) => name !== "update_id");
}

/** Returns the fields of all accepted types. Any of the types may be sent, so none of their fields is required. */
function fieldsOfTypes(api: BotApi, types: readonly string[], depth: number): PublishedFields | undefined {
  const names = types.map((type) => type.replace(/^(Array of )+/, ""));
  const found = names.flatMap((name) => {
    const type = api.types[name];
    return type === undefined
      ? []
      : type.subtypes.length > 0
        ? type.subtypes.flatMap((sub) => api.types[sub] ?? [])
        : [type];
  });
  if (found.length === 0) return undefined;
  const isOne = found.length === 1;
  return Object.fromEntries(
    found
      .flatMap(({ fields }) => fields)
      .map((one) => [one.name, readOne(api, { ...one, required: isOne && one.required }, depth)]),
  );
}
