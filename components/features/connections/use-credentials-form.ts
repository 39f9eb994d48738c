"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { z } from "zod";
import type { ConnectionObject, ConnectorKindObject, TestedConnection } from "#lib/contract/connection/connection";
import { ClientError } from "@/components/api/client-error";
import { checkBySchema } from "@/components/api/form-faults";
import { invalidateOperations } from "@/components/api/operation-hooks";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { toast } from "@/components/ui/toast";

type AuthKind = ConnectorKindObject["auths"][number];

export interface GivenCredentials {
  auth: string;
  fields: Record<string, string>;
  accept_failure: boolean;
}

interface CredentialsFormOptions<Input> {
  kind: ConnectorKindObject | undefined;
  /** The previous values, if there are any; secrets are never known. */
  before?: Pick<ConnectionObject, "auth" | "settings">;
  /** The first values of a new connection. */
  prefill?: Values | undefined;
  schema: z.ZodType;
  toInput: (given: GivenCredentials, name: string) => Input;
  /** Sends the form; secrets bypass the query cache. */
  send: (input: Input) => Promise<TestedConnection>;
  /** Starts the sign-in at the service, if the method needs one. */
  signIn: (given: Omit<GivenCredentials, "accept_failure">, name: string) => Promise<{ authorize_url: string }>;
  onDone: (connection: ConnectionObject) => void;
}

interface Values {
  /** Null until the user types a name: then the connector's default. */
  name: string | null;
  /** The typed values, by the field names of the method. */
  fields: Record<string, string>;
}

/**
 * The form of a connection's credentials, built from its connector's fields. `refusal` is the error of the service's
 * test; the user can save the connection anyway.
 */
export function useCredentialsForm<Input>(options: CredentialsFormOptions<Input>) {
  const { kind, before, schema, toInput } = options;
  const sendCredentials = useSendCredentials(options);
  const [authName, setAuthName] = useState(before?.auth ?? "");
  const [refusal, setRefusal] = useState<string | null>(null);
  const acceptsFailure = useRef(false);
  const auth: AuthKind | undefined = kind?.auths.find((item) => item.auth === authName) ?? kind?.auths[0];
  const names = ["name", ...(auth?.fields.map(({ name }) => `fields.${name}`) ?? [])];
  const nameOf = ({ name }: Values) => name ?? kind?.name ?? "";

  const givenBy = (values: Values) => givenIn(values, { auth, before, accept_failure: acceptsFailure.current });

  const form = useCheckedForm<Values>({
    start: options.prefill ?? { name: null, fields: {} },
    names,
    about: { CONNECTION_NAME_TAKEN: "name" },
    check: (values) => {
      const given = givenBy(values);
      const faults = checkBySchema(schema, toInput(given, nameOf(values).trim()), { values, names });
      return { ...faults, byField: { ...faults.byField, ...missingIn(auth, given.fields) } };
    },
    send: (values) => sendCredentials(auth, givenBy(values), nameOf(values).trim()),
    onFailure: (error) =>
      setRefusal(error instanceof ClientError && error.code === "CONNECTION_TEST_FAILED" ? error.message : null),
  });

  function forget() {
    setRefusal(null);
    form.clearGeneral();
  }

  const values: Values = { name: form.value("name"), fields: form.value("fields") };
  return {
    props: form.props,
    auth,
    setAuth: (name: string) => {
      setAuthName(name);
      forget();
      form.clear("fields");
    },
    name: nameOf(values),
    setName: (name: string) => form.set("name", name),
    nameProblem: form.problem("name"),
    textOf: (name: string) => givenBy(values).fields[name] ?? "",
    change: (name: string, value: string) => {
      form.set("fields", { ...values.fields, ...filledBy(auth, name, value), [name]: value });
      forget();
    },
    problemOf: (name: string) => form.problem(`fields.${name}`),
    general: form.general,
    refusal,
    isBusy: form.isBusy || form.isDone,
    saveAnyway: async () => {
      acceptsFailure.current = true;
      await form.submit();
      acceptsFailure.current = false;
    },
  };
}

/** Saves the connection, or opens the service to sign in. */
function useSendCredentials<Input>({ toInput, send, signIn, onDone }: CredentialsFormOptions<Input>) {
  const queryClient = useQueryClient();
  return async (auth: AuthKind | undefined, given: GivenCredentials, name: string) => {
    if (auth?.signs_in) {
      const { authorize_url: url } = await signIn({ auth: given.auth, fields: given.fields }, name);
      // The browser leaves the page, so there is nothing left to do.
      return window.location.assign(url);
    }
    const { connection, test } = await send(toInput(given, name));
    toast(test.outcome === "ok" ? `${connection.name} works. ${test.message}` : `${connection.name} saved.`);
    await invalidateOperations(queryClient, ["list_connections", "list_models", "list_step_catalog"]);
    onDone(connection);
  };
}

export type CredentialsForm = ReturnType<typeof useCredentialsForm>;

interface CredentialsBasis {
  auth: AuthKind | undefined;
  before: Pick<ConnectionObject, "auth" | "settings"> | undefined;
  accept_failure: boolean;
}

/** Returns the typed value, or for an untouched field the previous value or the default. */
function givenIn({ fields: typed }: Values, { auth, before, accept_failure }: CredentialsBasis): GivenCredentials {
  const fields = auth?.fields.map(({ name, default: standard }) => [
    name,
    typed[name] ?? before?.settings[name] ?? standard ?? "",
  ]);
  return { auth: auth?.auth ?? "", fields: Object.fromEntries(fields ?? []), accept_failure };
}

/** Returns what a chosen option enters into other fields. */
function filledBy(auth: AuthKind | undefined, name: string, value: string): Record<string, string> {
  const field = auth?.fields.find((item) => item.name === name);
  return field?.options.find((option) => option.value === value)?.fills ?? {};
}

function missingIn(auth: AuthKind | undefined, fields: Record<string, string>): Record<string, string> {
  const missing = auth?.fields.filter(({ name, required }) => required && (fields[name] ?? "").trim() === "") ?? [];
  return Object.fromEntries(missing.map(({ name, label }) => [`fields.${name}`, `${label} is required.`]));
}
