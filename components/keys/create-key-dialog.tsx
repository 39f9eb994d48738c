"use client";

import { clsx } from "clsx";
import { type FormEvent, useId, useState } from "react";
import { DEFAULT_SCOPES, SCOPE_EFFECTS, type Scope } from "#lib/contract/scopes";
import type { CreatedKey } from "#lib/contract/web";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { EXPIRIES, EXPIRY_LABELS, type Expiry, expiresAtOf } from "@/components/keys/key-expiry";
import { KEY_PRESETS, presetOf, SCOPE_GROUPS } from "@/components/keys/key-presets";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";

interface CreateKeyDialogProps {
  onClose: () => void;
  onCreated: (key: CreatedKey) => void;
}

interface Problems {
  name?: string;
  scopes?: string;
  date?: string;
  general?: string;
}

/** The answer holds the raw key, so it goes past the query cache straight to whoever shows it. */
export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(DEFAULT_SCOPES);
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [date, setDate] = useState("");
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setIsBusy] = useState(false);
  const formId = useId();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const expiresAt = expiresAtOf(expiry, date, Date.now());
    const found: Problems = {
      ...(name.trim() === "" ? { name: "Name the key after the integration that will use it." } : {}),
      ...(scopes.length === 0 ? { scopes: "Choose at least one." } : {}),
      ...(expiresAt === undefined ? { date: "Choose a day in the future." } : {}),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    setIsBusy(true);
    try {
      const input = { name: name.trim(), scopes: [...scopes], ...(expiresAt ? { expires_at: expiresAt } : {}) };
      onCreated(await callOperation("create_key", input));
    } catch (error) {
      setIsBusy(false);
      setProblems({
        general: error instanceof ClientError ? error.message : "The key could not be created. Try again.",
      });
    }
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New API key"
      description="One key per integration, so that each can be revoked alone."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={isBusy}>
            Create key
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field label="Name" error={problems.name} isRequired>
          {(control) => (
            <Input
              {...control}
              autoFocus
              maxLength={100}
              autoComplete="off"
              placeholder="Support bot"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <ScopeChoice scopes={scopes} onChange={setScopes} error={problems.scopes} />
        <div className="grid grid-cols-2 gap-3">
          <Field label="Expires">
            {(control) => (
              <Select
                {...control}
                value={expiry}
                onChange={(event) => setExpiry(EXPIRIES.find((option) => option === event.target.value) ?? "never")}
              >
                {EXPIRIES.map((option) => (
                  <option key={option} value={option}>
                    {EXPIRY_LABELS[option]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {expiry === "date" ? (
            <Field label="Last day" error={problems.date} isRequired>
              {(control) => (
                <Input {...control} type="date" value={date} onChange={(event) => setDate(event.target.value)} />
              )}
            </Field>
          ) : null}
        </div>
        {problems.general === undefined ? null : (
          <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err">
            {problems.general}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface ScopeChoiceProps {
  scopes: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
  error: string | undefined;
}

function ScopeChoice({ scopes, onChange, error }: ScopeChoiceProps) {
  const chosen = presetOf(scopes);
  const errorId = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="mb-1 font-medium">What it may do</legend>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-3">
        {KEY_PRESETS.map((preset) => (
          <button
            key={preset.id}
            type="button"
            aria-pressed={preset === chosen}
            onClick={() => onChange(preset.scopes)}
            className={clsx(
              "flex flex-col rounded-2 border px-2.5 py-2 text-left",
              preset === chosen ? "border-accent bg-accent-weak" : "border-border-strong hover:border-text-2",
            )}
          >
            <span className="font-medium">{preset.label}</span>
            <span className="text-dense text-text-2">{preset.about}</span>
          </button>
        ))}
      </div>
      {SCOPE_GROUPS.map((group) => (
        <div key={group.label} className="flex flex-col gap-2">
          <p className="text-dense text-text-3">{group.label}</p>
          {group.scopes.map((scope) => (
            <Checkbox
              key={scope}
              label={<code className="font-mono text-dense">{scope}</code>}
              description={SCOPE_EFFECTS[scope]}
              isChecked={scopes.includes(scope)}
              onChange={(isChecked) =>
                onChange(isChecked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
              }
            />
          ))}
        </div>
      ))}
      {error === undefined ? null : (
        <p id={errorId} className="text-dense text-err">
          {error}
        </p>
      )}
    </fieldset>
  );
}
