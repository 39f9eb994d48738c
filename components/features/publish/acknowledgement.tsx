import type { PublishPreview } from "#lib/contract/publish";
import { isAffected } from "@/components/features/publish/caller-report-view";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

/** What has to be typed before a change that breaks known callers goes out; null where a tick is enough. */
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

/** The publisher's word that callers may break: typed where it is known who, a tick where nobody is. */
export function Acknowledgement({ preview, value, onChange }: AcknowledgementProps) {
  const word = wordToType(preview);
  if (!isBreaking(preview)) return null;
  if (word === null) {
    return (
      <Checkbox
        label="Publish although callers break"
        description="Calls that fit the published contract may be refused from the moment this is live."
        isChecked={value.isTicked}
        onChange={(isTicked) => onChange({ ...value, isTicked })}
      />
    );
  }
  return (
    <Field
      label={`Type ${word} to publish although callers break`}
      description="Their calls are refused, or partly ignored, from the moment this is live."
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
