"use client";

import { type RefObject, useEffect, useId, useRef, useState } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  set,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { ClientError } from "@/components/api/client-error";
import { type FormFaults, faultsOfFilled, faultsOfRefusal } from "@/components/api/form-faults";

export interface CheckedFormOptions<V extends FieldValues> {
  /** What the fields hold at first. Every field is named here, with a value. */
  start: V;
  /**
   * The values, if they are kept elsewhere: in a store, or made of several states. They are checked as they change.
   * Before the first attempt an empty field has no fault. Keep the object until a value changes.
   */
  values?: V;
  /** What is wrong with the values, without asking the server. */
  check: (values: V) => FormFaults;
  /** Sends the values. What it throws is shown: at the fields that a refusal names, otherwise below the form. */
  send: (values: V) => Promise<unknown>;
  /** The form's field of an input's field, if the two have different names. */
  fields?: Readonly<Record<string, Path<V>>>;
  /** Every field that can have a fault, dotted; the keys of `start` if left out. */
  names?: readonly string[];
  /** The field that a refusal is about, by its code, if the refusal itself does not say so. */
  about?: Partial<Record<ClientError["code"], Path<V>>>;
  /** Called with what `send` threw. */
  onFailure?: (error: Error) => void;
}

const GENERAL = "root.general";

/**
 * A form's values, what is wrong with them, and its one request at a time. After a failed attempt the first field with a
 * fault has the focus, and faults go as they are corrected.
 */
export function useCheckedForm<V extends FieldValues>(options: CheckedFormOptions<V>) {
  const { start, values: kept, check } = options;
  const id = useId();
  const isTried = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const form = useForm<V>({
    defaultValues: start as DefaultValues<V>,
    shouldFocusError: false,
    resolver: (own) => {
      const values = kept ?? own;
      const faults = check(values);
      const errors = toErrors<V>(kept === undefined || isTried.current ? faults : faultsOfFilled(faults, values));
      return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
    },
  });
  const { submit, failure } = useSubmission(form, options, isTried);
  const { trigger } = form;
  useEffect(() => {
    if (kept !== undefined) void trigger();
  }, [trigger, kept]);
  const { errors, isSubmitting, isSubmitSuccessful, submitCount } = form.formState;
  useFocusOnFault(element, isSubmitting ? 0 : submitCount);

  return {
    /** For the form element. */
    props: {
      id,
      ref: element,
      noValidate: true,
      onSubmit: (event: { preventDefault: () => void; stopPropagation: () => void }) => {
        event.preventDefault();
        // A dialog may be inside another form of the page.
        event.stopPropagation();
        void submit();
      },
    },
    submit,
    /** For a text control or a select. */
    register: (name: Path<V>) => form.register(name),
    /** The present value of a field, for what is no native control. */
    value: <P extends Path<V>>(name: P): PathValue<V, P> => form.watch(name),
    set: <P extends Path<V>>(name: P, value: PathValue<V, P>) =>
      form.setValue(name, value, { shouldValidate: submitCount > 0, shouldDirty: true }),
    reset: form.reset,
    /** For `send`: a fault that no exception carries. */
    fail: (name: Path<V>, message: string) => form.setError(name, { message }),
    problem: (name: Path<V>): string | undefined => form.getFieldState(name, form.formState).error?.message,
    /** What belongs to no field. */
    general: errors.root?.general?.message ?? null,
    clear: (name: Path<V>) => form.clearErrors(name),
    clearGeneral: () => form.clearErrors("root"),
    /** What `general` is about, if something was sent. */
    failure,
    isBusy: isSubmitting,
    isDone: isSubmitSuccessful,
  };
}

/** Sends valid values, one request at a time, and shows what the server refuses. */
function useSubmission<V extends FieldValues>(
  form: UseFormReturn<V>,
  options: CheckedFormOptions<V>,
  isTried: RefObject<boolean>,
) {
  const { start, send, fields = {}, names = Object.keys(start), about = {}, onFailure } = options;
  const isSending = useRef(false);
  const [failure, setFailure] = useState<Error | null>(null);

  function show(error: Error) {
    onFailure?.(error);
    const { byField, general } = faultsOfRefusal(error, { names, fields, about });
    for (const [name, message] of Object.entries(byField)) form.setError(name as Path<V>, { message });
    if (general === null) return;
    setFailure(error);
    form.setError(GENERAL, { message: general });
  }

  async function sendOnce(values: V) {
    setFailure(null);
    try {
      await send(values);
    } catch (error) {
      show(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async function submit() {
    // The button is busy one rendering later than a second press of Enter.
    if (isSending.current) return;
    isSending.current = true;
    isTried.current = true;
    try {
      await form.handleSubmit(sendOnce)();
    } finally {
      isSending.current = false;
    }
  }

  return { submit, failure };
}

function toErrors<V extends FieldValues>({ byField, general }: FormFaults): FieldErrors<V> {
  const errors: FieldErrors<V> = {};
  for (const [name, message] of Object.entries(byField)) set(errors, name, { type: "check", message });
  if (general !== null) set(errors, GENERAL, { type: "check", message: general });
  return errors;
}

/** Once an attempt is over and its faults are on the page. */
function useFocusOnFault(form: RefObject<HTMLFormElement | null>, attempt: number): void {
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, attempt]);
}
