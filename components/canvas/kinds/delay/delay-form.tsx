"use client";

import { LIMITS } from "#lib/contract/limits";
import { formatCount } from "#lib/support/format/format-number";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";

const SECONDS_MAX = LIMITS.pipelineTimeoutMs / 1000;

/** Edits how long the run waits. */
export function DelayForm() {
  return (
    <TemplateField
      path={["seconds"]}
      label="Seconds"
      hint={`0 to ${SECONDS_MAX}`}
      placeholder="10"
      print={printLiteral}
      parse={parseSeconds}
    >
      <p className="text-dense text-text-3">
        The wait counts toward the {formatCount(SECONDS_MAX, "second")} a run can take.
      </p>
    </TemplateField>
  );
}

function parseSeconds(text: string): unknown {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text;
}
