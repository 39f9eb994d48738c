"use client";

import { Eye } from "lucide-react";
import { useState } from "react";
import { formConfig } from "#lib/core/steps/trigger/form/form-config";
import { CHOICE_FIELD_TYPES, FORM_FIELD_TYPE_NAMES, FORM_FIELD_TYPES } from "#lib/core/steps/trigger/form/form-fields";
import { renderFormPage } from "#lib/core/steps/trigger/form/render-form";
import type { Path } from "@/components/canvas/document/edit-data";
import { parseLiteral } from "@/components/canvas/expressions/literal-values";
import { FieldName } from "@/components/canvas/panel/fields/field-name";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { useNodeField, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { Choice, ChoiceField, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Dialog } from "@/components/ui/overlays/dialog";

const TYPE_OPTIONS = FORM_FIELD_TYPE_NAMES.map((type) => ({ value: type, label: FORM_FIELD_TYPES[type].title }));
const ANSWER_OPTIONS = [
  { value: "message", label: "A message" },
  { value: "result", label: "The workflow's output" },
  { value: "redirect", label: "Another page" },
];

const orNothing = (text: string) => (text === "" ? undefined : text);

/** Edits the page of a form trigger (decisions, Forms): its texts, its fields, and its answer. */
export function FormSettings() {
  return (
    <>
      <PlainField path={["title"]} label="Title" />
      <PlainField
        path={["description"]}
        label="Description"
        hint="shown above the fields"
        isMultiline
        parse={orNothing}
      />
      <ItemList
        path={["fields"]}
        title="Fields people fill in"
        noun="field"
        min={1}
        createItem={() => ({ name: "", type: "text", required: false })}
      >
        {(path, item) => <FormField path={path} item={item} />}
      </ItemList>
      <AnswerFields />
      <details className="group">
        <summary className="w-fit rounded-1 text-dense text-text-2 hover:text-text">Button</summary>
        <div className="mt-2 grid grid-cols-2 gap-2">
          <PlainField path={["submit_label"]} label="Text" placeholder="Send" parse={orNothing} />
          <PlainField path={["accent"]} label="Color" placeholder="#1c1b18" isMono parse={orNothing} />
        </div>
      </details>
      <Preview />
    </>
  );
}

function FormField({ path, item }: { path: Path; item: Record<string, unknown> }) {
  const required = useNodeField([...path, "required"]);
  const field = useNodeField(path);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const hasOptions = Object.hasOwn(CHOICE_FIELD_TYPES, String(item.type));
  function choose(type: string) {
    const { options, ...rest } = item;
    const isKept = Object.hasOwn(CHOICE_FIELD_TYPES, type) && options !== undefined;
    field.set({ ...rest, type, ...(isKept ? { options } : {}) });
  }
  return (
    <>
      <PlainField path={[...path, "label"]} label="Label" placeholder="Your email" parse={orNothing} />
      <div className="grid grid-cols-2 gap-2">
        <FieldName itemPath={path} placeholder="email" />
        <ChoiceField path={[...path, "type"]} label="Type" options={TYPE_OPTIONS} fallback="text" onChoose={choose} />
      </div>
      {hasOptions ? (
        <PlainField
          path={[...path, "options"]}
          label="Options"
          hint="one per line"
          isMultiline
          rows={3}
          print={printLines}
          parse={parseLines}
        />
      ) : null}
      <Checkbox
        label={item.type === "checkbox" ? "Must be checked" : "Required"}
        isChecked={required.value === true}
        onChange={(isRequired) => required.set(isRequired)}
        disabled={isReadOnly}
      />
      <PlainField path={[...path, "help"]} label="Help" hint="shown below the label" parse={orNothing} />
    </>
  );
}

function printLines(value: unknown): string {
  return Array.isArray(value) ? value.join("\n") : "";
}

/** A line that is being typed stays, although it is still empty: the check names it. */
function parseLines(text: string): string[] | undefined {
  return text === "" ? undefined : text.split("\n");
}

function AnswerFields() {
  const answer = useNodeField(["answer"]);
  const type = answerType(answer.value);
  function choose(next: string) {
    if (next === type) return;
    answer.set(next === "redirect" ? { type: next, url: "" } : { type: next });
  }
  return (
    <>
      <Choice label="After sending, show" options={ANSWER_OPTIONS} value={type} onChoose={choose} />
      {type === "redirect" ? (
        <PlainField
          path={["answer", "url"]}
          label="Address of the page"
          placeholder="https://example.com/thanks"
          isMono
        />
      ) : (
        <PlainField
          path={["answer", "text"]}
          label="Message"
          hint={type === "result" ? "shown if the run takes longer or has no output" : undefined}
          placeholder="Your answers were sent."
          isMultiline
          parse={orNothing}
        />
      )}
      {type === "result" ? (
        <PlainField
          path={["answer", "wait_seconds"]}
          label="Seconds to wait for the run"
          placeholder="10"
          isMono
          parse={(text) => (text === "" ? undefined : parseLiteral("integer", text))}
        />
      ) : null}
    </>
  );
}

function answerType(answer: unknown): string {
  const type = (answer as { type?: unknown } | undefined)?.type;
  return typeof type === "string" ? type : "message";
}

const NOTHING = new Map();

/** Shows the page as people will see it. It is drawn by what serves it. */
function Preview() {
  const { node } = usePanel();
  const [isOpen, setOpen] = useState(false);
  const { data: config } = formConfig.safeParse(node.data);
  return (
    <>
      <Button size="sm" className="self-start" disabled={config === undefined} onClick={() => setOpen(true)}>
        <Eye aria-hidden className="size-3.5" />
        Preview
      </Button>
      {config === undefined ? (
        <p className="text-dense text-text-2">Fill in the fields above to see the form.</p>
      ) : null}
      <Dialog isOpen={isOpen && config !== undefined} onClose={() => setOpen(false)} title="Preview" size="lg">
        {config === undefined ? null : (
          <iframe
            title={config.title}
            // Nothing in it can run, be sent, or reach this page.
            sandbox=""
            srcDoc={renderFormPage({ config, token: "", texts: NOTHING, errors: NOTHING, problem: null })}
            className="h-[60dvh] w-full rounded-2 border border-border"
          />
        )}
      </Dialog>
    </>
  );
}
