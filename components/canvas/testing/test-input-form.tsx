"use client";

import { type RefObject, useEffect, useRef } from "react";
import { useFocusOnFault } from "@/components/api/use-focus-on-fault";
import { ENTRIES } from "@/components/canvas/panel/fields/focus-field";
import {
  EVENT_FIELD,
  exampleTexts,
  type TestKind,
  testKindOf,
  testSchemaOf,
} from "@/components/canvas/samples/test-input";
import { useDraftSession, useEditor, useTests } from "@/components/canvas/store/draft-context";
import { runTest } from "@/components/canvas/testing/run-test";
import { TestPresets } from "@/components/canvas/testing/test-presets";
import { orderedProperties } from "@/components/features/actions/ordered-properties";
import { SchemaField } from "@/components/features/actions/schema-field";
import { afterPointer } from "@/components/ui/after-pointer";
import { CodeField } from "@/components/ui/code/code-field";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

/**
 * Edits the input of a test: what a caller or an event would send. Enter in a single-line field runs the draft.
 * Does not use the form hook, because a test can start while the form is not mounted (docs/architecture.md, "Forms").
 */
export function TestInputForm() {
  const session = useDraftSession();
  const definition = useEditor((state) => state.definition);
  const kept = useTests((tests) => tests.texts);
  const errors = useTests((tests) => tests.errors);
  const attempts = useTests((tests) => tests.attempts);
  const element = useRef<HTMLFormElement>(null);
  useFocusOnFault(element, attempts);
  const fields = useRef<HTMLDivElement>(null);
  useInputFirst(fields);
  const kind = testKindOf(definition);
  const texts = kept ?? exampleTexts(definition, 0);
  const change = (name: string, text: string) => {
    const { setTexts, textsFromRunId } = session.tests.getState();
    setTexts({ ...texts, [name]: text }, textsFromRunId);
  };
  return (
    <form
      ref={element}
      aria-label="Test input"
      noValidate
      onFocus={({ target }) => (kept === null ? selectText(target) : undefined)}
      onSubmit={(event) => {
        event.preventDefault();
        void runTest(session);
      }}
      className="flex flex-col gap-3 border-border p-4 @lg:overflow-y-auto @lg:border-r"
    >
      <TestPresets />
      <div ref={fields} className="contents">
        {kind === "fields" ? (
          <InputFields texts={texts} errors={errors} onChange={change} />
        ) : (
          <EventField kind={kind} texts={texts} errors={errors} onChange={change} />
        )}
      </div>
      {/* The submit button that Enter in a field triggers. */}
      <button type="submit" className="sr-only" tabIndex={-1}>
        Run the draft
      </button>
    </form>
  );
}

/** Focuses the first field if the user opened the panel to enter an input. */
function useInputFirst(fields: RefObject<HTMLDivElement | null>): void {
  const { tests } = useDraftSession();
  const isWanted = useTests((state) => state.wantsInput);
  useEffect(() => {
    if (!isWanted) return;
    tests.getState().serveInput();
    fields.current?.querySelector<HTMLElement>(ENTRIES)?.focus();
  }, [isWanted, tests, fields]);
}

/** Selects an example, so that typing replaces it. */
function selectText(field: Element): void {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) afterPointer(() => field.select());
}

interface FieldsProps {
  texts: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
  onChange: (name: string, text: string) => void;
}

function InputFields({ texts, errors, onChange }: FieldsProps) {
  const schema = useEditor((state) => state.definition);
  const { properties, required } = testSchemaOf(schema);
  const ordered = orderedProperties(properties, required);
  if (ordered.length === 0) return <p className="text-text-2">This action takes no input.</p>;
  return ordered.map(([name, property]) => (
    <SchemaField
      key={name}
      name={name}
      property={property}
      isRequired={required.includes(name)}
      value={texts[name] ?? ""}
      error={errors[name]}
      onChange={(text) => onChange(name, text)}
    />
  ));
}

const EVENT_WORDS: Record<Exclude<TestKind, "fields">, { label: string; description: string }> = {
  webhook: {
    label: "Body",
    description: "The body the other service would send, as JSON. Nothing is sent to the webhook URL.",
  },
  schedule: { label: "Time", description: "When the schedule would fire. Leave it empty to use the current time." },
  event: { label: "Event", description: "The event the connector would deliver, as JSON." },
};

function EventField({ kind, texts, errors, onChange }: FieldsProps & { kind: Exclude<TestKind, "fields"> }) {
  const name = EVENT_FIELD[kind];
  const { label, description } = EVENT_WORDS[kind];
  if (kind !== "schedule") {
    return (
      <CodeField
        label={label}
        description={description}
        error={errors[name] ?? null}
        language="json"
        rows={8}
        value={texts[name] ?? ""}
        onChange={(text) => onChange(name, text)}
      />
    );
  }
  return (
    <Field label={label} description={description} error={errors[name]}>
      {({ required: _required, ...control }) => (
        <Input
          {...control}
          isMono
          autoComplete="off"
          value={texts[name] ?? ""}
          onChange={(event) => onChange(name, event.target.value)}
        />
      )}
    </Field>
  );
}
