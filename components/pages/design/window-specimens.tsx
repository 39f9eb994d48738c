"use client";

import { useId, useState } from "react";
import { Specimen } from "@/components/pages/design/specimen";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { Dialog } from "@/components/ui/overlays/dialog";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";
import { ShownOnce } from "@/components/ui/overlays/shown-once";
import { toast } from "@/components/ui/toast";

type Window = "small" | "large" | "once" | "question" | "revoke";

/** Dialogs of both sizes, and the questions that must be answered. */
export function WindowSpecimens() {
  const [open, setOpen] = useState<Window | null>(null);
  const close = () => setOpen(null);
  return (
    <Specimen name="Dialogs">
      <Button onClick={() => setOpen("small")}>Dialog</Button>
      <Button onClick={() => setOpen("large")}>Large dialog</Button>
      <Button onClick={() => setOpen("once")}>What is shown once</Button>
      <Button onClick={() => setOpen("question")}>Question</Button>
      <Button variant="danger" onClick={() => setOpen("revoke")}>
        What cannot be undone
      </Button>
      {open === "small" ? <SmallDialog onClose={close} /> : null}
      <Dialog isOpen={open === "large"} onClose={close} size="lg" title="Publish version 4">
        <p className="text-text-2">A body as long as it needs to be; it scrolls, header and footer stay.</p>
      </Dialog>
      <Dialog isOpen={open === "once"} onClose={close} title="Key created">
        <ShownOnce value="svc_the-whole-key-is-shown-here" copyLabel="Copy the key" testId="shown-once" />
      </Dialog>
      <LazyAlertDialog
        isOpen={open === "question"}
        onClose={close}
        title="Archive two workflows?"
        confirmLabel="Archive"
        onConfirm={close}
        error="One of them is called by an active action."
      >
        <p>Nothing starts them anymore. You can restore them.</p>
      </LazyAlertDialog>
      <AlertDialog
        isOpen={open === "revoke"}
        onClose={close}
        title="Revoke this key?"
        confirmLabel="Revoke"
        isDestructive
        typeToConfirm="Support bot"
        onConfirm={() => {
          close();
          toast.message("Key revoked. Calls with svc_Qm4x now get 401.");
        }}
      >
        <p>The next call with svc_Qm4x gets 401. Runs in progress finish.</p>
      </AlertDialog>
    </Specimen>
  );
}

function SmallDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const onSubmit = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    onClose();
  };
  return (
    <FormDialog
      form={{ props: { id, onSubmit }, isBusy: false }}
      onClose={onClose}
      title="Rename the connection"
      description="Workflows keep it under its new name."
      submitLabel="Rename"
    >
      <Field label="Name">{(control) => <Input {...control} defaultValue="Acme mail" />}</Field>
    </FormDialog>
  );
}
