"use client";

import { effectiveScopes, LIMITED_KEY_SCOPES } from "#lib/contract/key/scopes";
import type { CreatedKey } from "#lib/contract/wire/web";
import { ActionChoice } from "@/components/features/keys/action-choice";
import { EXPIRIES, EXPIRY_LABELS } from "@/components/features/keys/key-expiry";
import { ScopeChoice } from "@/components/features/keys/scope-choice";
import { useCreateKey } from "@/components/features/keys/use-create-key";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface CreateKeyDialogProps {
  /** The slug of the action that the key is for, if the user comes from one. */
  action: string;
  onClose: () => void;
  onCreated: (key: CreatedKey) => void;
}

export function CreateKeyDialog({ action, onClose, onCreated }: CreateKeyDialogProps) {
  const form = useCreateKey(action, onCreated);
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="New API key"
      description="Create one key per integration, so that you can revoke each one separately."
      submitLabel="Create key"
      className="flex flex-col gap-5"
    >
      <Field label="Name" error={form.problem("name")} isRequired>
        {(control) => (
          <Input
            {...control}
            {...form.register("name")}
            autoFocus
            maxLength={100}
            autoComplete="off"
            placeholder="Support bot"
          />
        )}
      </Field>
      <ActionChoice
        slugs={form.value("slugs")}
        onChange={(slugs) => form.set("slugs", slugs)}
        error={form.problem("slugs")}
      />
      <ScopeChoice
        isLimited={form.value("slugs") !== null}
        scopes={effectiveScopes(form.value("scopes"), form.value("slugs"))}
        onChange={(scopes) => form.set("scopes", scopes)}
        onPreset={(scopes) => {
          form.set("scopes", scopes);
          if (scopes.some((scope) => !LIMITED_KEY_SCOPES.includes(scope))) form.set("slugs", null);
        }}
        error={form.problem("scopes")}
      />
      <ExpiryChoice form={form} />
      <FormError>{form.general}</FormError>
    </FormDialog>
  );
}

function ExpiryChoice({ form }: { form: ReturnType<typeof useCreateKey> }) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Expires">
        {(control) => (
          <Select {...control} {...form.register("expiry")}>
            {EXPIRIES.map((option) => (
              <option key={option} value={option}>
                {EXPIRY_LABELS[option]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {form.value("expiry") === "date" ? (
        <Field label="Last day" error={form.problem("date")} isRequired>
          {(control) => <Input {...control} {...form.register("date")} type="date" />}
        </Field>
      ) : null}
    </div>
  );
}
