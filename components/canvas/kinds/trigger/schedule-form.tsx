"use client";

import { lazy, Suspense, useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import { formatNumber } from "#lib/support/format/format-number";
import { ownTimeZone, shownTimeZone } from "@/components/api/shown-workspace";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { CalendarFields } from "@/components/canvas/kinds/trigger/calendar-fields";
import { FIRST_RULE, printRule, readRule } from "@/components/canvas/kinds/trigger/calendar-rule";
import { useNodeField, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { Choice, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { TimeZoneField } from "@/components/canvas/panel/fields/time-zone-field";
import { useEditorStore } from "@/components/canvas/store/draft-context";

/** Loaded lazily: it needs the cron library, which nothing else on the canvas uses. */
const NextFires = lazy(() =>
  import("@/components/features/triggers/next-fires-preview").then((m) => ({ default: m.NextFiresPreview })),
);

const VIEWS = [
  { value: "calendar", label: "At calendar times" },
  { value: "interval", label: "At a fixed interval" },
  { value: "cron", label: "On a cron schedule" },
];

/** Edits when the schedule fires (contract, Triggers: schedule), with a preview of the next times. */
export function ScheduleForm() {
  const { node } = usePanel();
  const editor = useEditorStore();
  const { mode, name, expression } = node.data;
  const rule = typeof expression === "string" ? readRule(expression) : null;
  // A calendar is only another view of a cron expression.
  const [prefersCron, setPrefersCron] = useState(rule === null);
  const view = mode === "interval" ? "interval" : rule === null || prefersCron ? "cron" : "calendar";
  function chooseView(next: string) {
    setPrefersCron(next === "cron");
    const isKept = next === "interval" ? mode === "interval" : mode === "cron" && (next === "cron" || rule !== null);
    if (isKept) return;
    const { timezone = shownTimeZone() } = node.data;
    const data =
      next === "interval"
        ? { mode: "interval", seconds: 3_600 }
        : { mode: "cron", expression: printRule(FIRST_RULE), timezone };
    const { definition, edit } = editor.getState();
    edit(editNodeData(definition, node.id, [], { name, kind: "schedule", ...data }));
  }
  return (
    <>
      <Choice label="Runs" options={VIEWS} value={view} onChoose={chooseView} />
      {view === "interval" ? <IntervalFields /> : null}
      {view === "calendar" && rule !== null ? <CalendarFields rule={rule} /> : null}
      {view === "cron" ? <CronField /> : null}
      {view === "interval" ? null : <ZoneAndPreview />}
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
        hint={`${formatNumber(min)} to ${formatNumber(max)}`}
        placeholder="3600"
        parse={(text) => (/^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text)}
        description="The first interval starts when you activate the workflow."
      />
      {isValid ? <Preview schedule={{ mode: "interval", seconds }} zone={ownTimeZone()} /> : null}
    </>
  );
}

function CronField() {
  return (
    <PlainField
      path={["expression"]}
      label="Cron expression"
      hint="minute hour day month weekday"
      placeholder="0 9 * * 1-5"
      isMono
    />
  );
}

function ZoneAndPreview() {
  const expression = useNodeField(["expression"]).value;
  const timezone = useNodeField(["timezone"]).value;
  const zone = typeof timezone === "string" && timezone !== "" ? timezone : "UTC";
  const isTyped = typeof expression === "string" && expression.trim() !== "";
  return (
    <>
      <TimeZoneField />
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
