"use client";

import { Ban } from "lucide-react";
import { useState } from "react";
import { isFailure, isSuccess } from "#lib/contract/run/run";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { toast } from "@/components/ui/toast";

/** Cancels a run that has not ended, after a confirmation that says what that does. */
export function CancelRunButton({ runId }: { runId: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useOperationMutation("cancel_run", {
    invalidates: ["get_run_status", "list_runs"],
    onSuccess: (run) => {
      setIsAsking(false);
      // The run may have ended on its own while the dialog was open.
      if (!isSuccess(run.status) && !isFailure(run.status)) toast("Run cancelled.");
    },
  });
  return (
    <>
      <Button aria-label="Cancel run" onClick={() => setIsAsking(true)}>
        <Ban aria-hidden className="size-3.5" />
        <span className="hidden lg:inline">Cancel…</span>
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Cancel this run?"
        confirmLabel="Cancel run"
        cancelLabel="Keep running"
        isDestructive
        isBusy={cancel.isPending}
        error={cancel.error?.message ?? null}
        onConfirm={() => cancel.mutate({ run_id: runId })}
      >
        <p>The step in progress is stopped and no further steps start. Completed steps are not undone.</p>
      </AlertDialog>
    </>
  );
}
