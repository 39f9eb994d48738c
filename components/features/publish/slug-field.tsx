"use client";

import { Check, LoaderCircle } from "lucide-react";
import type { SlugCheck } from "@/components/features/publish/use-slug-check";
import { useSession } from "@/components/shell/session-context";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

interface SlugFieldProps {
  /** The action's slug, once it has one; it never changes. */
  slug: string | null;
  typed: string;
  onType: (slug: string) => void;
  check: SlugCheck;
  /** The server's refusal of the slug. */
  problem: string | undefined;
}

/**
 * The name that callers use. The publisher types it at the first publish into an empty field: a slug is chosen and
 * never derived from the workflow's name (contract, Action).
 */
export function SlugField({ slug, typed, onType, check, problem }: SlugFieldProps) {
  const { base_url: baseUrl } = useSession();
  const address = `${baseUrl}/api/v1/runtime/actions/`;
  if (slug !== null) {
    return (
      <Field label="Slug" description="You can't change the slug after the first publish.">
        {(control) => <Input {...control} isMono readOnly value={slug} />}
      </Field>
    );
  }
  return (
    <Field
      label="Slug"
      hint="required"
      description={`Callers use ${address}${typed === "" ? "<slug>" : typed}/run. You can't change the slug or move it to another workflow later.`}
      error={check.kind === "refused" ? check.message : problem}
    >
      {({ required: _required, ...control }) => (
        <div className="relative">
          <Input
            {...control}
            isMono
            value={typed}
            maxLength={64}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="create-refund"
            onChange={(event) => onType(event.target.value.trim())}
            className="pr-28"
          />
          <SlugVerdict check={check} />
        </div>
      )}
    </Field>
  );
}

function SlugVerdict({ check }: { check: SlugCheck }) {
  return (
    <span
      role="status"
      className="pointer-events-none absolute top-1/2 right-2.5 flex -translate-y-1/2 items-center gap-1 text-dense"
    >
      {check.kind === "checking" ? (
        <span className="flex items-center gap-1 text-text-3">
          <LoaderCircle aria-hidden className="size-3.5 animate-spin" /> Checking
        </span>
      ) : null}
      {check.kind === "available" ? (
        <span className="flex items-center gap-1 text-ok">
          <Check aria-hidden className="size-3.5" strokeWidth={2.25} /> Available
        </span>
      ) : null}
    </span>
  );
}
