"use client";

import { LIMITS } from "#lib/contract/limits";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatCount } from "#lib/support/format/format-number";
import { shownTimeZone } from "@/components/api/shown-workspace";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { Choice } from "@/components/canvas/panel/fields/plain-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";
import { TimeZoneField } from "@/components/canvas/panel/fields/time-zone-field";

const WAYS = [
  { value: "seconds", label: "For a number of seconds" },
  { value: "until", label: "Until a time" },
];

/** Edits how long the run waits. */
export function DelayForm() {
  const seconds = useNodeField(["seconds"]);
  const until = useNodeField(["until"]);
  const timezone = useNodeField(["timezone"]);
  const isUntil = until.value !== undefined && until.value !== null;
  function choose(way: string) {
    if ((way === "until") === isUntil) return;
    seconds.set(isUntil ? 10 : undefined);
    until.set(isUntil ? undefined : "");
    timezone.set(isUntil ? undefined : shownTimeZone());
  }
  return (
    <>
      <Choice label="Wait" options={WAYS} value={isUntil ? "until" : "seconds"} onChoose={choose} />
      {isUntil ? <UntilFields /> : <SecondsField />}
      <p className="text-dense text-text-3">
        Up to {formatCount(LIMITS.delaySeconds / 86_400, "day")}. The wait doesn't count toward the{" "}
        {formatDuration(LIMITS.pipelineTimeoutMs)} a run can take.
      </p>
    </>
  );
}

function SecondsField() {
  return (
    <TemplateField
      path={["seconds"]}
      label="Seconds"
      hint={`0 to ${LIMITS.delaySeconds}`}
      placeholder="10"
      print={printLiteral}
      parse={parseSeconds}
    />
  );
}

function UntilFields() {
  return (
    <>
      <TemplateField
        path={["until"]}
        label="Time"
        hint="ISO 8601"
        description="If the time is in the past, the run continues immediately."
        placeholder="2027-03-01T09:00"
      />
      <TimeZoneField description="Used if the time has no offset, such as Z or +02:00." />
    </>
  );
}

function parseSeconds(text: string): unknown {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text;
}
