"use client";

import { Circle, CircleCheck, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { useOperationMutation } from "@/components/api/operation-hooks";
import type { Rotation } from "@/components/features/keys/derive-rotation";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/words/relative-time";

/** A key that can be revoked from this card. */
export type RevokableKey = { key_id: string; name: string; prefix: string };

interface RotationCardProps {
  rotation: Rotation;
  onRevoke: (key: RevokableKey, warning?: string) => void;
}

/**
 * Guides the user through a rotation that keeps the original: deploy the replacement, see it used, revoke the original.
 */
export function RotationCard({ rotation, onRevoke }: RotationCardProps) {
  const { replacement, original, stage } = rotation;
  const keepBoth = useOperationMutation("keep_both_keys", { invalidates: ["list_keys"] });
  const { name } = replacement;
  return (
    <section
      aria-label={`Rotation of ${name}`}
      className="m-4 flex max-w-[860px] flex-col gap-3 rounded-3 border border-border p-4"
    >
      <h2 className="text-title font-semibold">Rotating {name}</h2>
      <ol className="flex flex-col gap-3">
        <RotationSteps rotation={rotation} />
      </ol>
      {keepBoth.error === null ? null : (
        <p role="alert" className="text-err">
          {keepBoth.error.message}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={stage === "quiet" ? "primary" : "secondary"}
          onClick={() => onRevoke({ ...original, name }, warningOf(rotation))}
        >
          Revoke {original.prefix}…
        </Button>
        <Button
          isBusy={keepBoth.isPending}
          onClick={() => keepBoth.mutate({ key_id: replacement.key_id })}
          variant="ghost"
        >
          Keep both
        </Button>
        {stage === "unused" ? (
          <Button variant="ghost" onClick={() => onRevoke(replacement)}>
            Revoke the new key
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/** Warns about the callers that revoking the original breaks at this stage. */
function warningOf({ replacement, original, stage }: Rotation): string | undefined {
  if (stage === "unused") return `No calls have used ${replacement.prefix}… yet.`;
  return stage === "both" ? `Calls have used ${original.prefix}… in the last ten minutes.` : undefined;
}

function RotationSteps({ rotation: { replacement, original, stage } }: { rotation: Rotation }) {
  const [oldKey, newKey] = [<Prefix key="old" of={original.prefix} />, <Prefix key="new" of={replacement.prefix} />];
  return (
    <>
      <Step state="done" title="Create the replacement">
        {newKey} has the same access as {oldKey} and was created <RelativeTime at={replacement.created_at} />.
      </Step>
      <Step state={stage === "unused" ? "waiting" : "done"} title="Deploy it and wait for its first call">
        {replacement.last_used_at === null ? (
          <>
            Replace {oldKey} with it everywhere. <span role="status">Waiting for its first call.</span>
          </>
        ) : (
          <span role="status">
            Last used: <RelativeTime at={replacement.last_used_at} />.
          </span>
        )}
      </Step>
      <Step state={stage === "both" ? "waiting" : "open"} title={`Revoke ${original.prefix}…`}>
        {stage === "unused" ? "Do this when no calls use it anymore. " : null}
        {stage === "both" ? "It's still in use. " : null}
        {stage === "quiet" && original.last_used_at !== null ? "No calls have used it for ten minutes. " : null}
        {original.last_used_at === null ? (
          "It has never been used."
        ) : (
          <>
            Last used: <RelativeTime at={original.last_used_at} />.
          </>
        )}
      </Step>
    </>
  );
}

function Prefix({ of }: { of: string }) {
  return <code className="font-mono text-text">{of}…</code>;
}

const ICONS = { done: CircleCheck, waiting: LoaderCircle, open: Circle };

function Step({ state, title, children }: { state: keyof typeof ICONS; title: string; children: ReactNode }) {
  const Icon = ICONS[state];
  return (
    <li className="flex gap-2.5">
      <Icon
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 ${state === "done" ? "text-ok" : "text-text-3"} ${state === "waiting" ? "motion-safe:animate-spin" : ""}`}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {title}
          {state === "done" ? <span className="sr-only"> (done)</span> : null}
        </p>
        <p className="text-text-2">{children}</p>
      </div>
    </li>
  );
}
