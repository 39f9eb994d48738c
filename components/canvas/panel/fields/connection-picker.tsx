"use client";

import { lazy, Suspense, useState } from "react";
import type { ConnectionObject } from "#lib/contract/connection/connection";
import { getPath } from "#lib/support/get-path";
import { literalOrigin } from "#lib/support/urls/allowed-origins";
import { describeFieldProblem } from "@/components/canvas/document/describe-problem";
import { useNodeField, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { AllowHost, fitsConnector, prefillFor } from "@/components/canvas/panel/fields/problem-remedy";
import { useEditor } from "@/components/canvas/store/draft-context";
import { useProblems } from "@/components/canvas/store/use-problems";
import { signInAgain } from "@/components/features/connections/sign-in";
import { useConnectionKinds, useConnectionPages } from "@/components/features/connections/use-connections";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";

const CreateConnectionDialog = lazy(() =>
  import("@/components/features/connections/create-connection-dialog").then((m) => ({
    default: m.CreateConnectionDialog,
  })),
);

const ReplaceCredentialsDialog = lazy(() =>
  import("@/components/features/connections/replace-credentials-dialog").then((m) => ({
    default: m.ReplaceCredentialsDialog,
  })),
);

interface ConnectionPickerProps {
  /** The connector to choose a connection for; without one, all connectors that serve models. */
  connector?: string;
  /** The label for "no connection", if the step works without one. */
  noneLabel?: string;
}

/** Selects the connection of a step, shows its status, and can create one without leaving the canvas. */
export function ConnectionPicker({ connector, noneLabel }: ConnectionPickerProps) {
  const field = useNodeField(["connection_id"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const canCreate = useHasRole("editor") && !isReadOnly;
  const [isCreating, setIsCreating] = useState(false);
  const kinds = useConnectionKinds();
  const { query, connections } = useConnectionPages();
  const { node } = usePanel();
  // Only the server knows which hosts a connection allows, and where a custom connector goes.
  const found = useProblems().errors.find(({ node_id: id, field: at }) => id === node.id && at === field.name);
  const origin = connector === "http" ? (literalOrigin(getPath(node.data, ["params", "url"])) ?? found?.origin) : null;
  const fits = fitsConnector(connector);
  const fitting = new Set(kinds.data?.data.filter(fits).map((kind) => kind.connector));
  const value = typeof field.value === "string" ? field.value : "";
  const options = connections.filter((item) => fitting.has(item.connector));
  const chosen = options.find((item) => item.connection_id === value);
  const isUnknown = value !== "" && chosen === undefined;
  const isGone = isUnknown && query.data !== undefined && !query.hasNextPage && kinds.data !== undefined;
  const refusal = found?.code === "HOST_NOT_ALLOWED" ? describeFieldProblem(found, node) : undefined;
  const choose = (id: string) => field.set(id === "" && noneLabel !== undefined ? undefined : id);
  return (
    <div className="flex flex-col gap-1.5">
      <Field
        label="Connection"
        error={isGone ? "This connection doesn't exist or doesn't fit this step." : (field.error ?? refusal)}
        // Above the select: an error that appears when the select loses focus must not move the button from under the
        // pointer.
        hint={canCreate ? <NewButton onClick={() => setIsCreating(true)} /> : undefined}
      >
        {({ required: _required, ...control }) => (
          <Select
            {...control}
            data-field={field.name}
            data-optional={noneLabel === undefined ? undefined : ""}
            value={value}
            disabled={isReadOnly}
            onChange={(event) => choose(event.target.value)}
            onBlur={field.leave}
          >
            <option value="">{noneLabel ?? "Choose…"}</option>
            {isUnknown ? <option value={value}>{query.isPending ? "…" : value}</option> : null}
            {options.map((item) => (
              <option key={item.connection_id} value={item.connection_id}>
                {optionWords(item)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ConnectionState connection={chosen} canMend={canCreate} />
      {found === undefined || isReadOnly ? null : <AllowHost problem={found} />}
      {isCreating ? (
        <Suspense>
          <CreateConnectionDialog
            isOffered={fits}
            prefill={prefillFor(origin)}
            onClose={() => setIsCreating(false)}
            onCreated={(connection) => choose(connection.connection_id)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

function NewButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="link" onClick={onClick}>
      New connection
    </button>
  );
}

function optionWords({ name, status }: ConnectionObject): string {
  return status === "connected" ? name : `${name} (${status})`;
}

interface ConnectionStateProps {
  connection: ConnectionObject | undefined;
  canMend: boolean;
}

/** Shows where the connection's secret is sent; or its error, with a way to fix it without leaving the canvas. */
function ConnectionState({ connection, canMend }: ConnectionStateProps) {
  const [isReplacing, setReplacing] = useState(false);
  if (connection === undefined) return null;
  const { connection_id: id, status, signs_in: signsIn, origins, last_error: error } = connection;
  if (status === "connected") {
    return <p className="text-dense text-text-3">Its secret is sent only to {origins.map(shortOrigin).join(", ")}</p>;
  }
  return (
    <>
      <p className="text-dense text-err [overflow-wrap:anywhere]">{error ?? "This connection doesn't work."}</p>
      {canMend ? (
        <Button size="sm" className="self-start" onClick={() => (signsIn ? void signInAgain(id) : setReplacing(true))}>
          {signsIn ? "Sign in again" : "Replace credentials"}
        </Button>
      ) : null}
      {isReplacing ? (
        <Suspense>
          <ReplaceCredentialsDialog subject={connection} onClose={() => setReplacing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function shortOrigin(origin: string): string {
  return origin.replace(/^https:\/\//, "");
}
