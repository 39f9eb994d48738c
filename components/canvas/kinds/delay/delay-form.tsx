"use client";

import { LIMITS } from "#lib/contract/limits";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatCount } from "#lib/support/format/format-number";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";

/** Edits how long the run waits. */
export function DelayForm() {
  return (
    <TemplateField
      path={["seconds"]}
      label="Seconds"
      hint={`0 to ${LIMITS.delaySeconds}`}
      placeholder="10"
      print={printLiteral}
      parse={parseSeconds}
    >
      <p className="text-dense text-text-3">
        Up to {formatCount(LIMITS.delaySeconds / 86_400, "day")}. The wait doesn't count toward the{" "}
        {formatDuration(LIMITS.pipelineTimeoutMs)} a run can take.
      </p>
    </TemplateField>
  );
}

function parseSeconds(text: string): unknown {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text;
}
