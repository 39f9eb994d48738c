import type { RunObject } from "#lib/contract/run";
import type { Replay } from "@/components/features/runs/replay/use-replay";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";

interface ReplayVersionChoiceProps {
  replay: Replay;
  run: RunObject;
  /** The published version. */
  latest: number;
}

/** Selects the version that the replay runs. */
export function ReplayVersionChoice({ replay, run, latest }: ReplayVersionChoiceProps) {
  const own = run.action_release_version;
  return (
    <Field
      label="Version"
      description="On the published version, completed steps are reused if they and everything before them are unchanged."
    >
      {(control) => (
        <Select
          {...control}
          value={replay.version}
          onChange={(event) => replay.form.set("version", event.target.value === "latest" ? "latest" : "same")}
        >
          <option value="same">{own === null ? "The version of this run" : `Version ${own}, as in this run`}</option>
          <option value="latest">Version {latest}, published now</option>
        </Select>
      )}
    </Field>
  );
}
