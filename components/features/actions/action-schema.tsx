"use client";

import type { ActionDetailObject } from "#lib/contract/action/action";
import { currentSchema } from "#lib/core/input/input-aliases";
import { SchemaTable } from "@/components/features/actions/schema-table";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/lists/section";

export function ActionSchema({ action }: { action: ActionDetailObject }) {
  return (
    <div className="flex max-w-2xl flex-col gap-8">
      <Section title="Input" description="The public contract of the action. Callers may send additional fields.">
        <SchemaTable properties={action.inputSchema.properties} required={currentSchema(action.inputSchema).required} />
      </Section>
      <Section
        title="Output"
        description={
          action.outputSchema === null ? "The workflow defines no output fields." : "What a successful run returns."
        }
      >
        {action.outputSchema === null ? null : (
          <SchemaTable properties={action.outputSchema.properties} required={null} />
        )}
      </Section>
      <Section title="As JSON Schema">
        <CodeBlock
          label="JSON Schema of the action"
          snippets={[
            { label: "Input schema", code: JSON.stringify(action.inputSchema, null, 2) },
            ...(action.outputSchema === null
              ? []
              : [{ label: "Output schema", code: JSON.stringify(action.outputSchema, null, 2) }]),
          ]}
        />
      </Section>
    </div>
  );
}
