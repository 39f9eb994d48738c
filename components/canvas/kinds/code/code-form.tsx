"use client";

import { useMemo } from "react";
import { isJsonObject } from "#lib/support/json";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { PairsField } from "@/components/canvas/panel/fields/pairs-field";
import { useNodeField, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useTypedText } from "@/components/canvas/panel/fields/use-typed-text";
import { previewOf } from "@/components/canvas/samples/known-values";
import { useAnalysis, useEditor, useKnown } from "@/components/canvas/store/draft-context";
import { CodeField } from "@/components/ui/code/code-field";

/** Edits a code step: its named input values and its source. */
export function CodeForm() {
  const field = useNodeField(["source"]);
  const { text, change, leave } = useTypedText(field, printLiteral, (typed: string) => typed);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const { node } = usePanel();
  return (
    <>
      <PairsField path={["input"]} title="Input" noun="value" placeholder="orders" />
      <div className="flex flex-col gap-1">
        <CodeField
          // Each step's code has its own undo history.
          key={node.id}
          label="TypeScript"
          language="typescript"
          rows={12}
          fieldName={field.name}
          value={text}
          error={field.error}
          isReadOnly={isReadOnly}
          inputValues={useInputValues()}
          onChange={change}
          onLeave={leave}
        />
        <p className="text-dense text-text-3">
          Write a default export that takes <code>input</code> and returns JSON, or only the body of that function.
          Network access, imports and timers aren't available. <code>URL</code>, <code>crypto</code>,{" "}
          <code>structuredClone</code> and text encoders are.
        </p>
      </div>
    </>
  );
}

/** Returns the input values by name, each with its last known value or else its source. */
function useInputValues() {
  const { node } = usePanel();
  const analysis = useAnalysis();
  const known = useKnown();
  return useMemo(() => {
    const input = isJsonObject(node.data.input) ? node.data.input : {};
    return Object.entries(input).map(([name, template]) => {
      const preview = previewOf(template, analysis, known, [node.id]);
      return { name, detail: preview?.kind === "value" ? preview.text : printLiteral(template) };
    });
  }, [node, analysis, known]);
}
