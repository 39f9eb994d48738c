import { listTypedProblems, type MisfitField } from "@/components/features/runs/replay/corrected-input";
import type { Replay } from "@/components/features/runs/replay/use-replay";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

/** Shows that these types are typed as JSON. */
const PLACEHOLDERS: Readonly<Record<string, string>> = { array: "[]", object: "{}" };

interface ReplayCorrectionsProps {
  replay: Replay;
  misfits: readonly MisfitField[];
  version: number;
}

/** Shows how the input of the run differs from what the published version accepts, and takes corrections. */
export function ReplayCorrections({ replay, misfits, version }: ReplayCorrectionsProps) {
  const { form, corrections } = replay;
  const problems = listTypedProblems(misfits, corrections);
  return (
    <section aria-label="Corrections to the input" className="flex flex-col gap-3 rounded-3 border border-border p-3">
      <p className="text-text-2">
        The input of this run doesn't fit version {version}. Correct it to replay the run. Steps that read a corrected
        field run again.
      </p>
      {misfits.map(({ field, messages, type, was }) => (
        <Field
          key={field}
          label={<code className="font-mono text-dense">{field}</code>}
          hint={type ?? undefined}
          description={
            <span className="[overflow-wrap:anywhere]">
              {was === undefined ? null : (
                <>
                  Was <code className="font-mono">{JSON.stringify(was)}</code>.{" "}
                </>
              )}
              {messages.join(". ")}.
            </span>
          }
          error={problems[field]}
        >
          {(control) => (
            <Input
              {...control}
              isMono
              autoComplete="off"
              placeholder={PLACEHOLDERS[type ?? ""]}
              value={corrections[field] ?? ""}
              onChange={(event) => form.set("corrections", { ...corrections, [field]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </section>
  );
}
