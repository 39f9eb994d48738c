"use client";

import { useId } from "react";
import type { CreatedKey } from "#lib/contract/web/web";
import { EXPIRIES, EXPIRY_LABELS } from "@/components/features/keys/key-expiry";
import { ScopeChoice } from "@/components/features/keys/scope-choice";
import { useCreateKey } from "@/components/features/keys/use-create-key";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Dialog } from "@/components/ui/overlays/dialog";

interface CreateKeyDialogProps {
  onClose: () => void;
  onCreated: (key: CreatedKey) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const form = useCreateKey(onCreated);
  const formId = useId();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New API key"
      description="One key per integration, so that each can be revoked alone."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={form.isBusy}>
            Create key
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void form.submit(event)} className="flex flex-col gap-5">
        <Field label="Name" error={form.problems.name} isRequired>
          {(control) => (
            <Input
              {...control}
              autoFocus
              maxLength={100}
              autoComplete="off"
              placeholder="Support bot"
              value={form.name}
              onChange={(event) => form.setName(event.target.value)}
            />
          )}
        </Field>
        <ScopeChoice scopes={form.scopes} onChange={form.setScopes} error={form.problems.scopes} />
        <ExpiryChoice form={form} />
        {form.problems.general === undefined ? null : (
          <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err">
            {form.problems.general}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function ExpiryChoice({ form }: { form: ReturnType<typeof useCreateKey> }) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Expires">
        {(control) => (
          <Select
            {...control}
            value={form.expiry}
            onChange={({ target }) => form.setExpiry(EXPIRIES.find((option) => option === target.value) ?? "never")}
          >
            {EXPIRIES.map((option) => (
              <option key={option} value={option}>
                {EXPIRY_LABELS[option]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {form.expiry === "date" ? (
        <Field label="Last day" error={form.problems.date} isRequired>
          {(control) => (
            <Input {...control} type="date" value={form.date} onChange={(event) => form.setDate(event.target.value)} />
          )}
        </Field>
      ) : null}
    </div>
  );
}
