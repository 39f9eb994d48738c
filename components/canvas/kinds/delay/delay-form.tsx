"use client";

import { useMemo } from "react";
import { LIMITS } from "#lib/contract/limits";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatCount } from "#lib/support/format/format-number";
import { shownTimeZone } from "@/components/api/shown-workspace";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { Choice, ChoiceField } from "@/components/canvas/panel/fields/plain-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";
import { listTimeZones } from "@/components/ui/forms/list-time-zones";

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
  const zones = useMemo(() => listTimeZones(shownTimeZone(), "UTC"), []);
  return (
    <>
      <TemplateField path={["until"]} label="Time" hint="ISO 8601" placeholder="2027-03-01T09:00">
        <p className="text-dense text-text-3">If the time is in the past, the run continues immediately.</p>
      </TemplateField>
      <ChoiceField path={["timezone"]} label="Time zone" options={zones} fallback="UTC" />
      <p className="text-dense text-text-3">Used if the time has no offset, such as Z or +02:00.</p>
    </>
  );
}

function parseSeconds(text: string): unknown {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text;
}
