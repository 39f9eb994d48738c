"use client";

import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import { ClientError } from "@/components/api/client-error";
import { useCheckedForm } from "@/components/api/use-checked-form";
import {
  type FormErrors,
  type FormValues,
  readFormValues,
  toFormErrors,
  toFormValues,
} from "@/components/features/actions/try-form-values";

const byKey = (values: FormValues | FormErrors): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [keyOf(name), text]));

interface SchemaFormOptions {
  schema: InputSchema;
  initial: JsonObject;
  /** Sends the input. Errors that it throws mark the fields they name; the caller shows the rest. */
  send: (input: JsonObject) => Promise<unknown>;
}

/** Encodes a property's name for react-hook-form, which reads `.`, `[` and quotes as a path and reserves `root`. */
const keyOf = (name: string): string =>
  `field-${encodeURIComponent(name).replaceAll(".", "%2E").replaceAll("'", "%27")}`;

/** A form with one field per property of a JSON schema. A property's name can be any text. */
export function useSchemaForm({ schema, initial, send }: SchemaFormOptions) {
  const names = Object.keys(schema.properties);
  const read = (values: FormValues) =>
    readFormValues(schema, Object.fromEntries(names.map((name) => [name, values[keyOf(name)] ?? ""])));

  const form = useCheckedForm<Record<string, string>>({
    start: byKey(toFormValues(schema, initial)),
    check: (values) => ({ byField: byKey(read(values).errors), general: null }),
    send: async (values) => {
      try {
        await send(read(values).input);
      } catch (error) {
        const faults = error instanceof ClientError ? toFormErrors(schema, error.fieldErrors) : {};
        for (const [key, message] of Object.entries(byKey(faults))) form.fail(key, message);
      }
    },
  });
  const texts = Object.fromEntries(names.map((name) => [keyOf(name), form.value(keyOf(name))]));
  return {
    props: form.props,
    isBusy: form.isBusy,
    /** The input that the current texts describe. */
    input: read(texts).input,
    /** The props of a property's `SchemaField`. */
    field: (name: string) => ({
      name,
      value: texts[keyOf(name)] ?? "",
      error: form.problem(keyOf(name)),
      onChange: (text: string) => form.set(keyOf(name), text),
    }),
  };
}
