"use client";

import { useEffect } from "react";
import type { ConnectionObject, ConnectionTest } from "#lib/contract/connection/connection";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";

const TITLES: Record<ConnectionTest["outcome"], (name: string) => string> = {
  ok: (name) => `${name} works`,
  failed: (name) => `${name} doesn't work`,
  untested: (name) => `Couldn't test ${name}`,
};

interface TestConnectionDialogProps {
  subject: ConnectionObject;
  onClose: () => void;
}

/** Tests the connection when the dialog opens and shows the service's answer. */
export function TestConnectionDialog({ subject, onClose }: TestConnectionDialogProps) {
  const { mutate, data, error, isPending } = useOperationMutation("test_connection", {
    invalidates: ["list_connections"],
  });
  const { connection_id } = subject;
  // mutate is stable, so this runs once, when the dialog opens.
  useEffect(() => mutate({ connection_id }), [mutate, connection_id]);
  const test = data?.test;
  const outcome = error === null ? test?.outcome : "untested";
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={outcome === undefined ? `Testing ${subject.name}` : TITLES[outcome](subject.name)}
      footer={
        <>
          <Button onClick={() => mutate({ connection_id })} isBusy={isPending}>
            Test again
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <p role="status" className="[overflow-wrap:anywhere]">
        {test?.message ?? error?.message ?? "Testing…"}
      </p>
    </Dialog>
  );
}
