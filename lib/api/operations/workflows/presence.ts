import { z } from "zod";
import type { Caller } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { notifyWorkflow } from "#lib/domain/workflows/notify-workflow";
import { openWorkflow } from "#lib/domain/workflows/open-workflow";

/** Returns the caller as others see it. A key is shown with its prefix, as in the list of keys. */
export function presentActor(caller: Caller) {
  if (caller.kind === "user") return { type: "user", id: caller.userId, name: caller.name } as const;
  return { type: "api_key", id: caller.keyId, name: `${caller.name} (${caller.prefix})` } as const;
}

export const tellPresenceOperation = defineOperation({
  name: "tell_presence",
  title: "Report presence",
  description: "Notifies the other open pages of the workspace that this page opened or left a workflow.",
  scope: "web",
  role: "viewer",
  input: z.object({ workflow_id: z.uuid(), client_id: z.string().regex(/^[0-9a-f-]{32,36}$/), is_here: z.boolean() }),
  output: z.object({ workflow_id: z.uuid(), is_here: z.boolean() }),
  run: async (caller, { workflow_id, client_id, is_here }) => {
    // Throws if the workflow belongs to another workspace.
    await openWorkflow(caller.workspaceId, workflow_id);
    const kind = is_here ? "here" : "left";
    await notifyWorkflow(caller.workspaceId, {
      workflow_id,
      kind,
      actor: presentActor(caller),
      client_id,
      revision: null,
    });
    return { workflow_id, is_here };
  },
});
