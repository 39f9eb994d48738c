import type { PublishPreview } from "#lib/contract/action/publish";
import { isAffected } from "@/components/features/publish/caller-report-view";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

/**
 * Returns what the publisher must type before publishing a change that breaks known callers, or null if a checkbox is
 * enough.
 */
export function wordToType(preview: PublishPreview): string | null {
  return preview.report?.callers.some(isAffected) ? (preview.action?.slug ?? null) : null;
}

export function isBreaking(preview: PublishPreview): boolean {
  return preview.changes.some((change) => change.breaking);
}

export interface Acknowledged {
  isTicked: boolean;
  typed: string;
}

export function isAcknowledged(preview: PublishPreview, { isTicked, typed }: Acknowledged): boolean {
  const word = wordToType(preview);
  return !isBreaking(preview) || (word === null ? isTicked : typed.trim() === word);
}

interface AcknowledgementProps {
  preview: PublishPreview;
  value: Acknowledged;
  onChange: (value: Acknowledged) => void;
}

/**
 * Asks the publisher to acknowledge that callers may break: by typing the slug if known callers break, otherwise with a
 * checkbox.
 */
export function Acknowledgement({ preview, value, onChange }: AcknowledgementProps) {
  const word = wordToType(preview);
  if (!isBreaking(preview)) return null;
  if (word === null) {
    return (
      <Checkbox
        label="Publish and break callers"
        description="Calls that match the current contract may be refused as soon as this version is live."
        isChecked={value.isTicked}
        onChange={(isTicked) => onChange({ ...value, isTicked })}
      />
    );
  }
  return (
    <Field
      label={`Type ${word} to publish and break callers`}
      description="Calls from the affected callers will be refused or partly ignored as soon as this version is live."
    >
      {(control) => (
        <Input
          {...control}
          isMono
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={value.typed}
          onChange={(event) => onChange({ ...value, typed: event.target.value })}
        />
      )}
    </Field>
  );
}
