"use client";

import { useState } from "react";
import { Specimen } from "@/components/pages/design/specimen";
import { ChoiceChips } from "@/components/ui/choice-chips";
import { CodeField } from "@/components/ui/code/code-field";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { SearchField } from "@/components/ui/forms/search-field";
import { Select } from "@/components/ui/forms/select";
import { Switch } from "@/components/ui/forms/switch";
import { Textarea } from "@/components/ui/forms/textarea";
import { TimeZoneSelect } from "@/components/ui/lists/time-zone-select";

/** Text fields, choices and switches: empty, filled, wrong, disabled. */
export function FieldSpecimens() {
  return (
    <div className="grid gap-x-8 gap-y-5 rounded-3 border border-border bg-surface p-4 sm:grid-cols-2">
      <TextFields />
      <OtherFields />
      <Choices />
      <CodeFields />
    </div>
  );
}

const SOURCE = "export default async (input) => {\n  return { total: input.amount * 1.19 };\n};\n";

function CodeFields() {
  const [source, setSource] = useState(SOURCE);
  return (
    <>
      <CodeField label="Code" hint="TypeScript" language="typescript" rows={4} value={source} onChange={setSource} />
      <CodeField
        label="JSON, wrong"
        error="Close the object with }."
        language="json"
        rows={4}
        value={'{ "amount": 100'}
        isReadOnly
        onChange={() => undefined}
      />
      <div className="sm:col-span-2">
        <FormError>A workspace with this address exists. Choose another one.</FormError>
      </div>
    </>
  );
}

function TextFields() {
  const [name, setName] = useState("");
  return (
    <>
      <Field label="Name" hint="optional" description="Shown to people. Callers use the slug.">
        {(control) => (
          <Input
            {...control}
            placeholder="Order status"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Slug" hint="text" isRequired error="Use lowercase letters, digits and hyphens.">
        {(control) => <Input {...control} isMono defaultValue="Order Status" />}
      </Field>
      <Field label="Name, disabled" description="Only an owner can change it.">
        {(control) => <Input {...control} disabled value="Acme" readOnly />}
      </Field>
      <Field label="Address, read-only">
        {(control) => <Input {...control} isMono readOnly value="https://signalbox.example/webhooks/7c2d" />}
      </Field>
    </>
  );
}

function OtherFields() {
  const [words, setWords] = useState("order");
  return (
    <>
      <Field label="Comment" description="The caller reads it.">
        {(control) => <Textarea {...control} placeholder="Why it was decided this way" />}
      </Field>
      <Field label="Body" error="This isn't valid JSON.">
        {(control) => <Textarea {...control} isMono defaultValue={'{ "order_id": '} />}
      </Field>
      <Field label="Role">
        {(control) => (
          <Select {...control} defaultValue="editor">
            <option value="viewer">Viewer</option>
            <option value="editor">Editor</option>
            <option value="owner">Owner</option>
          </Select>
        )}
      </Field>
      <Field label="Plan, wrong" error="Choose a plan.">
        {(control) => (
          <Select {...control} defaultValue="">
            <option value="">Choose…</option>
            <option value="pro">Pro</option>
          </Select>
        )}
      </Field>
      <Specimen name="Search" isWide>
        <SearchField className="w-full" label="Search workflows" value={words} onChange={setWords} />
      </Specimen>
    </>
  );
}

const NO_ZONES: readonly string[] = [];
const PURPOSES = ["All", "Sales", "Support", "Operations"].map((label) => ({ value: label, label }));

function Choices() {
  const [isChecked, setChecked] = useState(true);
  const [isOn, setOn] = useState(true);
  const [zone, setZone] = useState("Europe/Berlin");
  const [purpose, setPurpose] = useState("All");
  return (
    <>
      <div className="flex flex-col gap-3">
        <Checkbox
          label="Run actions"
          description="Starts runs and reads their results."
          isChecked={isChecked}
          onChange={setChecked}
        />
        <Checkbox label="Not selected" isChecked={!isChecked} onChange={(is) => setChecked(!is)} />
        <Checkbox label="Disabled" isChecked disabled onChange={() => undefined} />
      </div>
      <div className="flex flex-col gap-3">
        <Switch
          label="Single-key shortcuts"
          description="Turn them off if you speak to your computer."
          isOn={isOn}
          onChange={setOn}
        />
        <Switch label="Off" isOn={!isOn} onChange={(is) => setOn(!is)} />
        <Switch label="Disabled" isOn disabled onChange={() => undefined} />
      </div>
      <Field label="Time zone">
        {(control) => (
          <TimeZoneSelect control={control} label="Time zone" value={zone} first={NO_ZONES} onChoose={setZone} />
        )}
      </Field>
      <ChoiceChips label="Purpose" choices={PURPOSES} chosen={purpose} onChoose={setPurpose} />
    </>
  );
}
