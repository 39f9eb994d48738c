import type { JsonObject } from "#lib/contract/json-schema";
import { splitRedactions } from "@/components/features/json/redaction";
import type { Replay } from "@/components/features/runs/replay/use-replay";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";

/** The input of the new run: the original one or an edited copy. */
export function ReplayInput({ replay, input }: { replay: Replay; input: JsonObject }) {
  const { form } = replay;
  const hidden = splitRedactions(JSON.stringify(input)).find(({ meaning }) => meaning !== null)?.text;
  return (
    <div className="flex flex-col gap-2">
      <Checkbox label="Edit input" isChecked={replay.isEditing} onChange={(isOn) => form.set("isEditing", isOn)} />
      {replay.isEditing ? (
        <Field
          label="Input"
          hint="JSON"
          error={form.problem("input")}
          {...(hidden === undefined
            ? {}
            : { description: `Redacted values such as ${hidden}keep their real values if you don't change them.` })}
        >
          {(control) => (
            <Textarea {...control} {...form.register("input")} isMono rows={8} spellCheck={false} autoFocus />
          )}
        </Field>
      ) : null}
    </div>
  );
}
