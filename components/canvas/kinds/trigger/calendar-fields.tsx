"use client";

import { Plus, X } from "lucide-react";
import { formatClock, formatWeekday } from "#lib/support/format/format-moment";
import {
  type CalendarRule,
  ORDINALS,
  type Ordinal,
  printRule,
  REPEATS,
  type Repeat,
  WEEKDAYS,
} from "@/components/canvas/kinds/trigger/calendar-rule";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { Choice } from "@/components/canvas/panel/fields/plain-field";
import { useRowKeys } from "@/components/canvas/panel/fields/use-row-keys";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { IconButton } from "@/components/ui/icon-button";

const REPEAT_LABELS: Readonly<Record<Repeat, string>> = {
  hour: "Every hour",
  day: "Every day",
  week: "On days of the week",
  month_day: "On a day of the month",
  month_weekday: "On a weekday of the month",
};
const ORDINAL_LABELS: Readonly<Record<Ordinal, string>> = {
  "1": "First",
  "2": "Second",
  "3": "Third",
  "4": "Fourth",
  L: "Last",
};
const MONTH_DAYS = [...Array.from({ length: 31 }, (_, index) => String(index + 1)), "L"];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

interface RuleProps {
  rule: CalendarRule;
  onChange: (change: Partial<CalendarRule>) => void;
}

/** Edits a cron expression as days and times. */
export function CalendarFields({ rule }: { rule: CalendarRule }) {
  const expression = useNodeField(["expression"]);
  const change = (part: Partial<CalendarRule>) => expression.set(printRule({ ...rule, ...part }));
  const given = { rule, onChange: change };
  return (
    <>
      <Choice
        label="Repeats"
        options={REPEATS.map((repeat) => ({ value: repeat, label: REPEAT_LABELS[repeat] }))}
        value={rule.repeat}
        onChoose={(repeat) => change({ repeat: repeat as Repeat })}
      />
      {rule.repeat === "week" ? <WeekdayBoxes {...given} /> : null}
      {rule.repeat === "month_day" ? <MonthDay {...given} /> : null}
      {rule.repeat === "month_weekday" ? <MonthWeekday {...given} /> : null}
      {rule.repeat === "hour" ? <MinuteOfHour {...given} /> : <Times {...given} />}
    </>
  );
}

function WeekdayBoxes({ rule, onChange }: RuleProps) {
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">Days</legend>
      <div className="grid grid-cols-2 gap-x-3 gap-y-1.5">
        {WEEKDAYS.map((day) => {
          const isChosen = rule.weekdays.includes(day);
          return (
            <Checkbox
              key={day}
              label={formatWeekday(day)}
              isChecked={isChosen}
              // A schedule without a day would never fire.
              disabled={isReadOnly || (isChosen && rule.weekdays.length === 1)}
              onChange={(isOn) =>
                onChange({
                  weekdays: WEEKDAYS.filter((other) => (other === day ? isOn : rule.weekdays.includes(other))),
                })
              }
            />
          );
        })}
      </div>
    </fieldset>
  );
}

function MonthDay({ rule, onChange }: RuleProps) {
  return (
    <>
      <Choice
        label="Day"
        options={MONTH_DAYS.map((day) => ({ value: day, label: day === "L" ? "Last day" : day }))}
        value={String(rule.monthDay)}
        onChoose={(day) => onChange({ monthDay: day === "L" ? day : Number(day) })}
      />
      {Number(rule.monthDay) > 28 ? (
        <p className="text-dense text-text-3">Months without a day {rule.monthDay} are skipped.</p>
      ) : null}
    </>
  );
}

function MonthWeekday({ rule, onChange }: RuleProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Choice
        label="Which"
        options={ORDINALS.map((ordinal) => ({ value: ordinal, label: ORDINAL_LABELS[ordinal] }))}
        value={rule.ordinal}
        onChoose={(ordinal) => onChange({ ordinal: ordinal as Ordinal })}
      />
      <Choice
        label="Day"
        options={WEEKDAYS.map((day) => ({ value: String(day), label: formatWeekday(day) }))}
        value={String(rule.weekday)}
        onChoose={(day) => onChange({ weekday: Number(day) })}
      />
    </div>
  );
}

function MinuteOfHour({ rule, onChange }: RuleProps) {
  return (
    <Choice
      label="Minutes past the hour"
      options={Array.from({ length: 60 }, (_, minute) => ({ value: String(minute), label: twoDigits(minute) }))}
      value={String(rule.minute)}
      onChoose={(minute) => onChange({ minute: Number(minute) })}
    />
  );
}

/** The first time sets the minute; further times of the day have the same minute. */
function Times({ rule, onChange }: RuleProps) {
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const { hours, minute } = rule;
  const rows = useRowKeys(hours.length);
  const last = hours.at(-1) ?? 0;
  const free =
    HOURS.find((hour) => hour > last && !hours.includes(hour)) ?? HOURS.find((hour) => !hours.includes(hour));
  const setHour = (index: number, hour: number) => onChange({ hours: hours.with(index, hour) });
  function setFirst(text: string) {
    const [hour, newMinute] = text.split(":").map(Number);
    // The text is empty while a person is typing.
    if (hour === undefined || newMinute === undefined) return;
    onChange({ minute: newMinute, hours: [hour, ...hours.slice(1).filter((other) => other !== hour)] });
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">{hours.length > 1 ? "Times" : "Time"}</legend>
      {hours.map((hour, index) => (
        <div key={rows.keys[index]} className="flex items-center gap-2">
          {index === 0 ? (
            <Input
              type="time"
              aria-label="Time"
              value={`${twoDigits(hour)}:${twoDigits(minute)}`}
              disabled={isReadOnly}
              onChange={(event) => setFirst(event.target.value)}
            />
          ) : (
            <Select
              className="flex-1"
              aria-label={`Time ${index + 1}`}
              value={hour}
              disabled={isReadOnly}
              onChange={(event) => setHour(index, Number(event.target.value))}
            >
              {HOURS.filter((other) => other === hour || !hours.includes(other)).map((other) => (
                <option key={other} value={other}>
                  {formatClock(other, minute)}
                </option>
              ))}
            </Select>
          )}
          {hours.length > 1 && !isReadOnly ? (
            <IconButton
              icon={X}
              label={`Remove time ${index + 1}`}
              size="sm"
              onClick={() => {
                rows.remove(index);
                onChange({ hours: hours.toSpliced(index, 1) });
              }}
            />
          ) : null}
        </div>
      ))}
      {free === undefined || isReadOnly ? null : (
        <Button size="sm" className="self-start" onClick={() => onChange({ hours: [...hours, free] })}>
          <Plus aria-hidden className="size-3.5" /> Add a time
        </Button>
      )}
    </fieldset>
  );
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
