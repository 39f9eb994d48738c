"use client";

import { PairsField } from "@/components/canvas/panel/forms/pairs-field";
import { SourceField } from "@/components/canvas/panel/forms/source-field";

/** A function of named values: its source, and what it gets. */
export function CodeForm() {
  return (
    <>
      <PairsField path={["input"]} title="Input" noun="value" placeholder="orders" />
      <SourceField path={["source"]} label="TypeScript" rows={12}>
        <p className="text-dense text-text-3">
          A default export that takes <code>input</code> and returns JSON, or the body of such a function. There is no
          network, no import and no timer; <code>URL</code>, <code>crypto</code>, <code>structuredClone</code> and text
          encoders are there.
        </p>
      </SourceField>
    </>
  );
}
