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
import { useFocusOnFault } from "@/components/api/use-focus-on-fault";

export interface CheckedFormOptions<V extends FieldValues> {
  /** The initial values. Every field is listed here. */
  start: V;
  /**
   * The values, if they are kept elsewhere: in a store, or composed of several states. They are checked as they change.
   * Before the first attempt an empty field has no error. Keep the same object until a value changes.
   */
  values?: V;
  /** Checks the values without calling the server. */
  check: (values: V) => FormFaults;
  /** Sends the values. An error that it throws is shown at the fields that it names, otherwise below the form. */
  send: (values: V) => Promise<unknown>;
  /** Maps an input field to the form's field, if the names differ. */
  fields?: Readonly<Record<string, Path<V>>>;
  /** Every field that can have an error, with dots; the keys of `start` if left out. */
  names?: readonly string[];
  /** Returns the field that an error code is about, if the error doesn't say so itself. */
  about?: Partial<Record<ClientError["code"], Path<V>>>;
  /** Called with the error that `send` threw. */
  onFailure?: (error: Error) => void;
}

const GENERAL = "root.general";

/**
 * Manages a form's values, its errors and one request at a time. After a failed attempt the first field with an error
 * gets the focus, and errors disappear as the user corrects them.
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
    /** Props of the form element. */
    props: {
      id,
      ref: element,
      noValidate: true,
      onSubmit: (event: { preventDefault: () => void; stopPropagation: () => void }) => {
        event.preventDefault();
        // A dialog can be inside another form of the page.
        event.stopPropagation();
        void submit();
      },
    },
    submit,
    /** Props of a text control or a select. */
    register: (name: Path<V>) => form.register(name),
    /** Returns the current value of a field, for a control that is not native. */
    value: <P extends Path<V>>(name: P): PathValue<V, P> => form.watch(name),
    set: <P extends Path<V>>(name: P, value: PathValue<V, P>) =>
      form.setValue(name, value, { shouldValidate: submitCount > 0, shouldDirty: true }),
    reset: form.reset,
    /** For `send`: reports an error that no exception carries. */
    fail: (name: Path<V>, message: string) => form.setError(name, { message }),
    problem: (name: Path<V>): string | undefined => form.getFieldState(name, form.formState).error?.message,
    /** Errors that belong to no field. */
    general: errors.root?.general?.message ?? null,
    clear: (name: Path<V>) => form.clearErrors(name),
    clearGeneral: () => form.clearErrors("root"),
    /** The values that `general` is about, if something was sent. */
    failure,
    isBusy: isSubmitting,
    isDone: isSubmitSuccessful,
  };
}

/** Sends valid values, one request at a time, and shows the server's errors. */
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
    // The button becomes busy one render after a second press of Enter.
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
