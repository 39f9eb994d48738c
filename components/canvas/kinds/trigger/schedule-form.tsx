"use client";

import { lazy, Suspense, useMemo } from "react";
import { LIMITS } from "#lib/contract/limits";
import { ownTimeZone, shownTimeZone } from "@/components/api/shown-workspace";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { useNodeField, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { listTimeZones } from "@/components/ui/forms/list-time-zones";

/** Loaded lazily: it needs the cron library, which nothing else on the canvas uses. */
const NextFires = lazy(() =>
  import("@/components/features/triggers/next-fires-preview").then((m) => ({ default: m.NextFiresPreview })),
);

const MODES = [
  { value: "cron", label: "At calendar times (cron)" },
  { value: "interval", label: "At a fixed interval" },
];

/** Edits when the schedule fires (contract, Triggers: schedule), with a preview of the next times. */
export function ScheduleForm() {
  const { node } = usePanel();
  const editor = useEditorStore();
  const { mode, name } = node.data;
  function chooseMode(next: string) {
    if (next === mode) return;
    const rule = next === "interval" ? { seconds: 3_600 } : { expression: "0 9 * * 1-5", timezone: shownTimeZone() };
    const { definition, edit } = editor.getState();
    edit(editNodeData(definition, node.id, [], { name, kind: "schedule", mode: next, ...rule }));
  }
  return (
    <>
      <ChoiceField path={["mode"]} label="Fires" options={MODES} fallback="cron" onChoose={chooseMode} />
      {mode === "interval" ? <IntervalFields /> : <CronFields />}
    </>
  );
}

function IntervalFields() {
  const seconds = useNodeField(["seconds"]).value;
  const { intervalSecondsMin: min, intervalSecondsMax: max } = LIMITS;
  const isValid = typeof seconds === "number" && Number.isInteger(seconds) && seconds >= min && seconds <= max;
  return (
    <>
      <PlainField
        path={["seconds"]}
        label="Seconds between runs"
        hint={`${min} to ${max}`}
        placeholder="3600"
        parse={(text) => (/^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text)}
      />
      <p className="text-dense text-text-3">The first interval starts when you activate the workflow.</p>
      {isValid ? <Preview schedule={{ mode: "interval", seconds }} zone={ownTimeZone()} /> : null}
    </>
  );
}

function CronFields() {
  const expression = useNodeField(["expression"]).value;
  const timezone = useNodeField(["timezone"]).value;
  const zones = useMemo(() => listTimeZones(shownTimeZone(), ownTimeZone()), []);
  const zone = typeof timezone === "string" && timezone !== "" ? timezone : "UTC";
  const isTyped = typeof expression === "string" && expression.trim() !== "";
  return (
    <>
      <PlainField
        path={["expression"]}
        label="Cron expression"
        hint="minute hour day month weekday"
        placeholder="0 9 * * 1-5"
        isMono
      />
      <ChoiceField path={["timezone"]} label="Time zone" options={zones} fallback="UTC" />
      {isTyped ? <Preview schedule={{ mode: "cron", expression, timezone: zone }} zone={zone} /> : null}
    </>
  );
}

function Preview(props: Parameters<typeof NextFires>[0]) {
  return (
    <Suspense fallback={<p className="text-dense text-text-3">Loading the next times</p>}>
      <NextFires {...props} />
    </Suspense>
  );
}
