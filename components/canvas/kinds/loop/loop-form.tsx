"use client";

import { LIMITS } from "#lib/contract/limits";
import { formatCount } from "#lib/support/format/format-number";
import { parseBody, printBody } from "@/components/canvas/expressions/literal-values";
import { LoopBody } from "@/components/canvas/kinds/loop/loop-body";
import { ListField } from "@/components/canvas/panel/fields/list-field";
import { useItemData, useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";

const CHOICES = Array.from({ length: LIMITS.loopConcurrency }, (_, index) => index + 1);

/** Edits a loop: its list, how many items run at a time, and the result of each iteration. */
export function LoopForm() {
  const iterationData = useItemData();
  return (
    <>
      <ListField />
      <ConcurrencyField />
      <TemplateField
        path={["result"]}
        label="Result of each iteration"
        hint="optional"
        placeholder="{{step.field}}"
        rows={2}
        isDeep
        print={printBody}
        parse={parseBody}
        sources={iterationData}
        description="Resolved when an iteration ends, so it can use the steps inside. Later steps get a list of all results."
      />
      <LoopBody />
    </>
  );
}

function ConcurrencyField() {
  const field = useNodeField(["concurrency"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const concurrency = typeof field.value === "number" ? field.value : 1;
  return (
    <Field label="Items at a time" description={describe(concurrency)} error={field.error}>
      {({ required: _required, ...control }) => (
        <Select
          {...control}
          data-field={field.name}
          value={String(concurrency)}
          disabled={isReadOnly}
          onChange={(event) => field.set(Number(event.target.value))}
        >
          {CHOICES.includes(concurrency) ? null : <option value={String(concurrency)}>{concurrency}</option>}
          {CHOICES.map((choice) => (
            <option key={choice} value={String(choice)}>
              {choice}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function describe(concurrency: number): string {
  return concurrency === 1
    ? "One item after another."
    : `Up to ${formatCount(concurrency, "item")} at once, in no particular order.`;
}
