"use client";

import { KeyRound, ShieldCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { TwoStepState } from "#lib/contract/account/account";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation } from "@/components/api/operation-hooks";
import { useTwoStep } from "@/components/features/two-step/use-two-step";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { FormError } from "@/components/ui/forms/form-error";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";
import { RelativeTime } from "@/components/words/relative-time";

/** The user's second factors: authenticator app, passkeys and recovery codes. */
export function TwoStepSection() {
  const state = useOperation("get_two_step", {});
  return (
    <Section
      title="Two-step verification"
      description="After your password, Signalbox asks for a code from an app or for a passkey. A passkey also works without the password."
    >
      <QueryView query={state} skeleton={<Skeleton className="h-28" />} errorTitle="Couldn't load your second factors.">
        {(data) => <Factors state={data} />}
      </QueryView>
    </Section>
  );
}

/** A factor that the user is asked about before it is removed; without an id, the authenticator app. */
interface Removal {
  id?: string;
  name: string;
}

function Factors({ state }: { state: TwoStepState }) {
  const actions = useTwoStep();
  const [removal, setRemoval] = useState<Removal | null>(null);
  const isLast = state.passkeys.length + (state.has_authenticator ? 1 : 0) === 1;
  return (
    <div className="flex flex-col gap-3">
      {state.is_on ? <FactorList state={state} onRemove={setRemoval} onReplace={actions.replaceCodes} /> : null}
      <FormError>{actions.error}</FormError>
      <FactorButtons state={state} actions={actions} />
      {actions.dialogs}
      <LazyAlertDialog
        isOpen={removal !== null}
        onClose={() => setRemoval(null)}
        title={`Remove ${removal?.name ?? ""}?`}
        confirmLabel="Remove"
        isDestructive
        onConfirm={() => {
          actions.removeFactor(removal?.id);
          setRemoval(null);
        }}
      >
        <p>You can no longer sign in with it.</p>
        {isLast ? (
          <p>This is your last second factor: two-step verification turns off, and your recovery codes stop working.</p>
        ) : null}
        {isLast && state.required_by.length > 0 ? (
          <p>
            You can't open {state.required_by.join(", ")} until you set up another one, because two-step verification is
            required there.
          </p>
        ) : null}
      </LazyAlertDialog>
    </div>
  );
}

export function FactorButtons({ state, actions }: { state: TwoStepState; actions: ReturnType<typeof useTwoStep> }) {
  return (
    <div className="flex flex-wrap gap-2">
      {state.has_authenticator ? null : (
        <Button isBusy={actions.isStarting} onClick={actions.addTotp}>
          Set up an authenticator app
        </Button>
      )}
      {state.can_add_passkeys ? (
        <Button isBusy={actions.isStarting} onClick={actions.addPasskey}>
          Add a passkey
        </Button>
      ) : (
        <p className="text-text-2">Passkeys need an https address with a host name.</p>
      )}
    </div>
  );
}

interface FactorListProps {
  state: TwoStepState;
  onRemove: (removal: Removal) => void;
  onReplace: () => void;
}

function FactorList({ state, onRemove, onReplace }: FactorListProps) {
  const { has_authenticator: hasAuthenticator, passkeys, recovery_codes_left: left } = state;
  return (
    <ul className="divide-y divide-border rounded-3 border border-border bg-surface">
      {hasAuthenticator ? (
        <Factor icon={<ShieldCheck aria-hidden className="size-4" />} name="Authenticator app" about="Six-digit codes">
          <Button
            size="sm"
            aria-label="Remove authenticator app"
            onClick={() => onRemove({ name: "the authenticator app" })}
          >
            Remove
          </Button>
        </Factor>
      ) : null}
      {passkeys.map(({ passkey_id: id, name, created_at: createdAt, last_used_at: usedAt }) => (
        <Factor
          key={id}
          icon={<KeyRound aria-hidden className="size-4" />}
          name={name}
          about={
            <>
              Passkey, added <RelativeTime at={createdAt} />
              {usedAt === null ? null : (
                <>
                  ; last used <RelativeTime at={usedAt} />
                </>
              )}
            </>
          }
        >
          <Button size="sm" aria-label={`Remove passkey ${name}`} onClick={() => onRemove({ id, name })}>
            Remove
          </Button>
        </Factor>
      ))}
      <Factor
        name="Recovery codes"
        about={`${formatCount(left, "code")} left`}
        chip={left <= 2 ? <Chip tone="warn">Running out</Chip> : null}
      >
        <Button size="sm" onClick={onReplace}>
          Replace codes
        </Button>
      </Factor>
    </ul>
  );
}

interface FactorProps {
  icon?: ReactNode;
  name: string;
  about: ReactNode;
  chip?: ReactNode;
  children: ReactNode;
}

function Factor({ icon, name, about, chip, children }: FactorProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 [overflow-wrap:anywhere]">
          {icon}
          {name}
          {chip}
        </p>
        <p className="text-dense text-text-2">{about}</p>
      </div>
      {children}
    </li>
  );
}
