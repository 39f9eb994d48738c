"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { invalidateOperations } from "@/components/api/operation-hooks";
import {
  type DerivedConnection,
  deriveConnection,
  moveSecretOut,
} from "@/components/canvas/document/derive-connection";
import { fieldWords } from "@/components/canvas/document/describe-problem";
import { fieldName } from "@/components/canvas/document/edit-data";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";

/** Another connection may have the name of the host already. */
const NAMES_TRIED = 5;

/** Offers to move a secret that was typed into the request to a new connection, in one step that undo reverts. */
export function MoveSecret() {
  const { node } = usePanel();
  const editor = useEditorStore();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const canCreate = useHasRole("editor") && !isReadOnly;
  const queryClient = useQueryClient();
  const derived = canCreate ? deriveConnection(node) : null;
  const move = useMutation({
    mutationFn: async (wanted: DerivedConnection) => ({ wanted, connectionId: await createNamed(wanted) }),
    onSuccess: async ({ wanted, connectionId }) => {
      const { definition, edit } = editor.getState();
      const current = definition.nodes.find(({ id }) => id === node.id);
      // The step may have changed while the connection was created: only the same secret is replaced.
      const isSame = current !== undefined && JSON.stringify(deriveConnection(current)) === JSON.stringify(wanted);
      if (isSame) edit(moveSecretOut(definition, current, wanted, connectionId));
      await invalidateOperations(queryClient, ["list_connections", "list_step_catalog"]);
    },
  });
  if (derived === null) return null;
  return (
    <section aria-label="Secret in this step" className="flex flex-col gap-2 rounded-3 bg-warn-bg px-3 py-2.5">
      <p className="text-dense">
        <span className="font-medium">{fieldWords(fieldName(derived.path))}</span> contains a secret. In a connection it
        is encrypted, and Signalbox sends it only to {derived.name}.
      </p>
      <Button size="sm" className="self-start" isBusy={move.isPending} onClick={() => move.mutate(derived)}>
        <KeyRound aria-hidden className="size-3.5" />
        Move to a connection
      </Button>
      {move.error === null ? null : (
        <p role="alert" className="text-dense text-err">
          {move.error.message}
        </p>
      )}
    </section>
  );
}

/** @returns the id of the new connection */
async function createNamed({ name, auth, fields }: DerivedConnection): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const input = { connector: "http", name: attempt === 1 ? name : `${name} ${attempt}`, auth, fields };
    try {
      return (await callOperation("create_connection", input)).connection.connection_id;
    } catch (error) {
      const isTaken = error instanceof ClientError && error.code === "CONNECTION_NAME_TAKEN";
      if (!isTaken || attempt === NAMES_TRIED) throw error;
    }
  }
}
