import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { getObject, type Kind, read } from "#lib/connectors/vendors/bitrix24/kinds";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The fields stored as typed lists, by our params. */
const LISTS = { phone: "PHONE", email: "EMAIL" } as const;
const STANDARD_TYPE = "WORK";

const storedValues = z.array(
  z.looseObject({ ID: z.union([z.string(), z.number()]), VALUE: z.string(), VALUE_TYPE: z.string().nullish() }),
);

/**
 * Returns the phone and email fields of an update. A value without an ID is added to the others, on every attempt, so
 * the value that an object already has is replaced by its ID
 * (https://apidocs.bitrix24.com/api-reference/crm/contacts/crm-contact-update.html): the first one of type WORK, which
 * create_contact writes, else the first one. Other values do not change.
 */
export async function toContactValues(
  service: ServiceContext,
  kind: Kind,
  id: number,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const wanted = Object.entries(LISTS).flatMap(([param, field]) => {
    const value = given[param];
    return typeof value === "string" ? [{ field, value }] : [];
  });
  if (wanted.length === 0) return {};
  const object = await getObject(service, kind, id);
  return Object.fromEntries(wanted.map(({ field, value }) => [field, [replacement(object, field, value)]]));
}

function replacement(object: JsonObject, field: string, value: string): Record<string, unknown> {
  const stored = read(storedValues, object[field] ?? []);
  const replaced =
    stored.find(({ VALUE: known }) => known === value) ??
    stored.find(({ VALUE_TYPE: type }) => type === STANDARD_TYPE) ??
    stored[0];
  if (!replaced) return { VALUE: value, VALUE_TYPE: STANDARD_TYPE };
  return { ID: replaced.ID, VALUE: value, VALUE_TYPE: replaced.VALUE_TYPE ?? STANDARD_TYPE };
}
