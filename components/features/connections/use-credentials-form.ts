"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ConnectionObject, ConnectorKindObject, TestedConnection } from "#lib/contract/connection";
import { ClientError } from "@/components/api/client-error";
import { invalidateOperations } from "@/components/api/operation-hooks";
import { toast } from "@/components/ui/toast";

type AuthKind = ConnectorKindObject["auths"][number];

export interface GivenCredentials {
  auth: string;
  fields: Record<string, string>;
  accept_failure: boolean;
}

interface CredentialsFormOptions {
  kind: ConnectorKindObject | undefined;
  /** What it had before, where there is something; secrets are never known. */
  before?: Pick<ConnectionObject, "auth" | "settings">;
  /** Sends the form; secrets go past the query cache. */
  send: (given: GivenCredentials) => Promise<TestedConnection>;
  /** Begins to sign in at the service, where the way wants that. */
  signIn: (given: Omit<GivenCredentials, "accept_failure">) => Promise<{ authorize_url: string }>;
  onDone: (connection: ConnectionObject) => void;
}

/**
 * The form of a connection's credentials, made of its kind's fields. `refusal` is what the other side said; the
 * connection can be stored all the same.
 */
export function useCredentialsForm({ kind, before, send, signIn, onDone }: CredentialsFormOptions) {
  const queryClient = useQueryClient();
  const [authName, setAuthName] = useState(before?.auth ?? "");
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const auth: AuthKind | undefined = kind?.auths.find((item) => item.auth === authName) ?? kind?.auths[0];
  const standards = new Map(
    auth?.fields.map((field) => [field.name, before?.settings[field.name] ?? field.default ?? ""]),
  );
  const textOf = (name: string) => typed[name] ?? standards.get(name) ?? "";

  async function submit(acceptFailure: boolean) {
    if (auth === undefined) return;
    const missing = auth.fields.filter((field) => field.required && textOf(field.name).trim() === "");
    setProblems(Object.fromEntries(missing.map((field) => [field.name, `${field.label} is required.`])));
    setRefusal(null);
    if (missing.length > 0) return;
    setIsBusy(true);
    try {
      const fields = Object.fromEntries(auth.fields.map((field) => [field.name, textOf(field.name)]));
      if (auth.signs_in) {
        const { authorize_url: url } = await signIn({ auth: auth.auth, fields });
        // The page goes; nothing of it is left to wait.
        window.location.assign(url);
        return;
      }
      const { connection, test } = await send({ auth: auth.auth, fields, accept_failure: acceptFailure });
      toast(test.outcome === "ok" ? `${connection.name} works. ${test.message}` : `${connection.name} is saved.`);
      await invalidateOperations(queryClient, ["list_connections", "list_models"]);
      onDone(connection);
    } catch (error) {
      setIsBusy(false);
      const told = error instanceof ClientError ? error : null;
      if (told?.code === "CONNECTION_TEST_FAILED") setRefusal(told.message);
      else setProblems(problemsOf(told));
    }
  }

  return {
    auth,
    setAuth: (name: string) => {
      setAuthName(name);
      setProblems({});
      setRefusal(null);
    },
    textOf,
    change: (name: string, value: string) => {
      setTyped((values) => ({ ...values, [name]: value }));
      setRefusal(null);
    },
    problems,
    refusal,
    isBusy,
    submit,
  };
}

export type CredentialsForm = ReturnType<typeof useCredentialsForm>;

/** By the form's names; what belongs to no field stands under the empty name. */
function problemsOf(error: ClientError | null): Record<string, string> {
  if (error === null) return { "": "The connection could not be saved. Try again." };
  if (error.code === "CONNECTION_NAME_TAKEN") return { connection_name: error.message };
  const named = error.fieldErrors.flatMap(({ field, message }) =>
    field.startsWith("fields.") ? [[field.slice("fields.".length), sentence(message)] as const] : [],
  );
  return named.length === 0 ? { "": error.message } : Object.fromEntries(named);
}

function sentence(message: string): string {
  return /^["A-Z]/.test(message) ? message : `This ${message}.`;
}
