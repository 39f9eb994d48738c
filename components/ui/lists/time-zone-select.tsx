"use client";

import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ControlProps } from "@/components/ui/forms/field";
import { CONTROL_LOOK } from "@/components/ui/forms/input";
import { describeTimeZone } from "@/components/ui/forms/list-time-zones";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { LazyPopover } from "@/components/ui/overlays/lazy-popover";

const TimeZoneList = lazy(() =>
  import("@/components/ui/lists/time-zone-list").then((m) => ({ default: m.TimeZoneList })),
);
const LIST_WIDTH = "w-(--radix-popover-trigger-width) min-w-72 max-w-[calc(100vw-1rem)]";

interface TimeZoneSelectProps {
  control: ControlProps;
  label: string;
  value: string;
  /** Zones at the top of the list. */
  first: readonly string[];
  disabled?: boolean;
  /** The name by which a problem finds the field. */
  fieldName?: string;
  onChoose: (zone: string) => void;
}

/** A choice of a time zone, with its offset, from a list that can be searched. */
export function TimeZoneSelect({ control, label, value, first, disabled, fieldName, onChoose }: TimeZoneSelectProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { required: _required, ...described } = control;
  // The offset of some zones changes during the year; the current one is what people know.
  const [atMs] = useState(() => Date.now());
  const zone = describeTimeZone(value, atMs);
  return (
    <LazyPopover
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      label={label}
      className={LIST_WIDTH}
      trigger={
        <button
          type="button"
          {...described}
          data-field={fieldName}
          disabled={disabled}
          aria-label={`${label}: ${zone.label} ${zone.offset}`}
          className={clsx(CONTROL_LOOK, "flex h-control items-center justify-between gap-2 text-left")}
        >
          {/* The space is for assistive technology: the text is a part of the name. */}
          <span className="min-w-0 truncate">{zone.label}</span>{" "}
          <span className="flex shrink-0 items-center gap-2 text-text-3">
            <span className="text-dense tabular-nums">{zone.offset}</span>
            <ChevronDown aria-hidden className="size-3.5" />
          </span>
        </button>
      }
    >
      <Suspense fallback={<Skeleton className="h-24 w-full" />}>
        <TimeZoneList
          value={value}
          first={first}
          atMs={atMs}
          onChoose={(next) => {
            setIsOpen(false);
            onChoose(next);
          }}
        />
      </Suspense>
    </LazyPopover>
  );
}
