"use client";

import type { ReactNode } from "react";
import { ownTimeZone, shownTimeZone } from "@/components/api/shown-workspace";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Field } from "@/components/ui/forms/field";
import { TimeZoneSelect } from "@/components/ui/lists/time-zone-select";

/** Edits the time zone of a step. Without one, it is UTC. */
export function TimeZoneField({ description }: { description?: ReactNode }) {
  const field = useNodeField(["timezone"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <Field label="Time zone" description={description} error={field.error}>
      {(control) => (
        <TimeZoneSelect
          control={control}
          label="Time zone"
          fieldName={field.name}
          value={typeof field.value === "string" && field.value !== "" ? field.value : "UTC"}
          first={[shownTimeZone(), ownTimeZone()]}
          disabled={isReadOnly}
          onChoose={(zone) => field.set(zone)}
        />
      )}
    </Field>
  );
}
