"use client";

import type { FieldValues, Path } from "react-hook-form";
import type { z } from "zod";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { checkBySchema } from "@/components/api/form-faults";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { type CheckedFormOptions, useCheckedForm } from "@/components/api/use-checked-form";

type Operation = keyof WebOperations;
type Input<K extends Operation> = WebOperations[K]["input"];
type Output<K extends Operation> = WebOperations[K]["output"];

interface OperationFormOptions<K extends Operation, V extends FieldValues>
  extends Pick<CheckedFormOptions<V>, "start" | "values" | "fields" | "onFailure"> {
  /** The operation's own input schema, or the part that the form fills in. */
  schema: z.ZodType;
  toInput: (values: V) => Input<K>;
  /** The message for a required field that is empty. */
  missing?: Partial<Record<Path<V>, string>>;
  /** Checks that the schema cannot express. */
  check?: (values: V) => Partial<Record<Path<V>, string>>;
  /** Returns true to hold back valid values, because a question comes first. `submit` asks again. */
  holds?: (values: V) => boolean;
  invalidates?: readonly Operation[];
  onSuccess?: (output: Output<K>, input: Input<K>) => unknown;
}

/**
 * A form that sends one operation. The operation's schema checks the values before they are sent, and the server's
 * errors appear at their fields.
 */
export function useOperationForm<K extends Operation, V extends FieldValues>(
  name: K,
  options: OperationFormOptions<K, V>,
) {
  const {
    start,
    values: kept,
    schema,
    fields = {},
    missing = {},
    check,
    onFailure,
    toInput,
    holds = () => false,
    invalidates = [],
    onSuccess = () => undefined,
  } = options;
  // The answer is not cached, because it can contain a secret. A request made offline fails at once instead of waiting.
  const mutation = useOperationMutation(name, { invalidates, onSuccess, gcTime: 0, networkMode: "always" });
  return useCheckedForm<V>({
    start,
    fields,
    ...(kept === undefined ? {} : { values: kept }),
    ...(onFailure === undefined ? {} : { onFailure }),
    check: (values) => {
      const { byField, general } = checkBySchema(schema, toInput(values), { values, fields, missing });
      return { byField: { ...byField, ...check?.(values) }, general };
    },
    send: async (values) => {
      if (!holds(values)) await mutation.mutateAsync(toInput(values));
    },
  });
}
