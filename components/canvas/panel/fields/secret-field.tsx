"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import { MISSING_SECRET } from "#lib/core/steps/trigger/trigger-data";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

/**
 * Edits the secret that a sender signs with. The document stores it encrypted, and a generated secret is shown only
 * once.
 * @param isBrought whether the sender chooses the secret and sends it before its first event
 */
export function SecretField({ isBrought }: { isBrought: boolean }) {
  const field = useNodeField(["secret"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const [shown, setShown] = useState<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const isSet = typeof field.value === "string" && field.value !== "";
  const { state, meaning } = describeSecret(field.value, isBrought);
  const seal = useOperationMutation("seal_secret", {
    onSuccess: ({ secret, sealed }, input) => {
      field.set(sealed);
      setShown(input.secret === undefined ? secret : null);
      setTyped(null);
    },
  });
  function remove() {
    field.set(undefined);
    setShown(null);
    setTyped(null);
  }
  return (
    <section aria-label="Secret" className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="font-medium">Secret</h2>
        <span className="text-dense text-text-3">{state}</span>
      </div>
      <p className="text-dense text-text-3">{meaning}</p>
      {shown === null ? null : <ShownSecret secret={shown} />}
      {typed === null ? null : (
        <TypedSecret
          text={typed}
          error={seal.error?.message ?? null}
          isBusy={seal.isPending}
          onType={setTyped}
          onSave={() => typed.trim() !== "" && seal.mutate({ secret: typed.trim() })}
        />
      )}
      {isReadOnly ? null : (
        <SecretButtons
          isSet={isSet}
          isBusy={seal.isPending && typed === null}
          onMake={() => seal.mutate({})}
          onType={typed === null ? () => setTyped("") : null}
          onRemove={remove}
        />
      )}
      {field.error === null ? null : <p className="text-dense text-err">{field.error}</p>}
    </section>
  );
}

function describeSecret(secret: unknown, isBrought: boolean): { state: string; meaning: string } {
  if (secret === MISSING_SECRET)
    return { state: "Missing", meaning: "Exports don't include secrets. Generate or enter a new one." };
  if (typeof secret === "string" && secret !== "") {
    const meaning = "Requests without a valid signature are rejected. A change takes effect when you publish.";
    return { state: "Set", meaning };
  }
  const meaning = isBrought
    ? "The service sends its secret when you create the webhook there. Until then, requests are rejected."
    : "Without a secret, anyone who knows the URL can start the workflow.";
  return { state: "None", meaning };
}

interface SecretButtonsProps {
  isSet: boolean;
  isBusy: boolean;
  onMake: () => void;
  /** Null while the user is typing a secret. */
  onType: (() => void) | null;
  onRemove: () => void;
}

function SecretButtons({ isSet, isBusy, onMake, onType, onRemove }: SecretButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" isBusy={isBusy} onClick={onMake}>
        <KeyRound aria-hidden className="size-3.5" />
        {isSet ? "Generate another" : "Generate a secret"}
      </Button>
      {onType === null ? null : (
        <Button size="sm" onClick={onType}>
          Enter a secret
        </Button>
      )}
      {isSet ? (
        <Button size="sm" onClick={onRemove}>
          Remove
        </Button>
      ) : null}
    </div>
  );
}

function ShownSecret({ secret }: { secret: string }) {
  return (
    <div className="flex flex-col gap-1 rounded-2 border border-border bg-sunken px-3 py-2">
      <div className="flex items-center gap-2">
        <code data-testid="webhook-secret" className="min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]">
          {secret}
        </code>
        <CopyButton value={secret} label="Copy the secret" />
      </div>
      <p className="text-dense text-text-2">Give it to the sender now. It won't be shown again.</p>
    </div>
  );
}

interface TypedSecretProps {
  text: string;
  error: string | null;
  isBusy: boolean;
  onType: (text: string) => void;
  onSave: () => void;
}

function TypedSecret({ text, error, isBusy, onType, onSave }: TypedSecretProps) {
  return (
    <Field label="Secret from the sender" error={error}>
      {({ required: _required, ...control }) => (
        <div className="flex gap-2">
          <Input
            {...control}
            type="password"
            autoComplete="off"
            maxLength={LIMITS.webhookSecretCharacters}
            value={text}
            isMono
            onChange={(event) => onType(event.target.value)}
            onPaste={(event) => {
              // An input drops the line ends of a key, and those between two secrets.
              const pasted = event.clipboardData.getData("text").trim();
              if (!pasted.includes("\n")) return;
              event.preventDefault();
              onType(pasted);
            }}
            onKeyDown={(event) => event.key === "Enter" && onSave()}
          />
          <Button isBusy={isBusy} onClick={onSave}>
            Save
          </Button>
        </div>
      )}
    </Field>
  );
}
