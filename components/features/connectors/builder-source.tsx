"use client";

import { Upload } from "lucide-react";
import { type ChangeEvent, type RefObject, useImperativeHandle, useRef, useState } from "react";
import type { CustomConnectorObject } from "#lib/contract/connector/connector";
import { LIMITS } from "#lib/contract/limits";
import { type SourceKind, TEXT_MAX } from "@/components/features/connectors/builder-input";
import { fieldOfPointer } from "@/components/features/connectors/field-of-pointer";
import { findPlace, type Place } from "@/components/features/connectors/find-place";
import { summaryId } from "@/components/features/connectors/hand-operation-form";
import { findOperationAt } from "@/components/features/connectors/hand-operations";
import { HandOperations } from "@/components/features/connectors/hand-operations-list";
import type { ConnectorFormState } from "@/components/features/connectors/use-connector-form";
import { Button } from "@/components/ui/button";
import { CodeField } from "@/components/ui/code/code-field";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { Section } from "@/components/ui/lists/section";
import { Tabs } from "@/components/ui/lists/tabs";

/** Lets the list of errors select a place in the source. */
export interface SourceControls {
  show: (pointer: string) => Promise<void>;
}

interface BuilderSourceProps {
  builder: ConnectorFormState;
  replaced: CustomConnectorObject | null;
  controls: RefObject<SourceControls | null>;
}

const ROWS = 14;

/** Selects where the operations come from: a document, its URL, or manual input. */
export function BuilderSource({ builder, replaced, controls }: BuilderSourceProps) {
  const { typed, setTyped, form } = builder;
  const [shown, setShown] = useState<Place | null>(null);
  useImperativeHandle(controls, () => ({
    show: async (pointer) => {
      const field = fieldOfPointer(pointer);
      const control = field === null ? null : form.props.ref.current?.elements.namedItem(field);
      if (control instanceof HTMLElement) control.focus();
      else if (typed.kind === "document") setShown(await findPlace(typed.text, pointer));
      else if (typed.kind === "hand") {
        const operation = findOperationAt(typed.hand, pointer) ?? typed.hand[0];
        if (operation !== undefined) document.getElementById(summaryId(operation.key))?.focus();
      }
    },
  }));
  const tabs: { value: SourceKind; label: string; content: React.ReactNode }[] = [
    { value: "document", label: "Document", content: <DocumentSource builder={builder} shown={shown} /> },
    { value: "address", label: "Address", content: <AddressSource builder={builder} /> },
    {
      value: "hand",
      label: "Manually",
      content: (
        <>
          <HandOperations
            operations={typed.hand}
            onChange={(hand) => setTyped({ hand })}
            replaced={replaced?.connector ?? null}
          />
          {/* Errors of single operations are listed in the preview. */}
          <FormError>{(builder.isSourceEmpty && form.problem("hand")) || null}</FormError>
        </>
      ),
    },
  ];
  return (
    <Section title="Source of operations">
      <Tabs
        label="Source of operations"
        value={typed.kind}
        onChange={(kind) => setTyped({ kind })}
        panelClassName="pt-4"
        tabs={tabs}
      />
    </Section>
  );
}

function DocumentSource({ builder, shown }: { builder: ConnectorFormState; shown: Place | null }) {
  const { typed, setTyped, form } = builder;
  const file = useRef<HTMLInputElement>(null);
  async function read(event: ChangeEvent<HTMLInputElement>) {
    const [chosen] = event.target.files ?? [];
    event.target.value = "";
    if (chosen === undefined) return;
    const text = await chosen.text();
    if (chosen.size <= LIMITS.bodyBytes) setTyped({ text, file: null });
    else setTyped({ text: "", file: { name: chosen.name, gzip: await compressText(text) } });
  }
  return (
    <div className="flex flex-col gap-3">
      <div>
        <input
          ref={file}
          type="file"
          aria-label="OpenAPI document"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          className="hidden"
          onChange={(event) => void read(event)}
        />
        <Button onClick={() => file.current?.click()}>
          <Upload aria-hidden className="size-3.5" />
          Upload a file
        </Button>
      </div>
      {typed.file === null ? (
        <CodeField
          label="OpenAPI document"
          description={`OpenAPI 3.0 to 3.2, or Swagger 2.0, as JSON or YAML. Upload a document that is larger than ${TEXT_MAX}.`}
          language="text"
          rows={ROWS}
          error={form.problem("text") ?? null}
          value={typed.text}
          shown={shown}
          onChange={(text) => setTyped({ text })}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <p className="[overflow-wrap:anywhere]">{typed.file.name} is too large for the editor.</p>
          <Button onClick={() => setTyped({ file: null })}>Remove</Button>
          <FormError>{form.problem("text") ?? null}</FormError>
        </div>
      )}
    </div>
  );
}

function AddressSource({ builder }: { builder: ConnectorFormState }) {
  const { typed, setTyped, form } = builder;
  return (
    <Field
      label="URL of the OpenAPI document"
      description="The server fetches it without credentials, up to 20 MiB. It must be reachable from the server."
      error={form.problem("url")}
    >
      {(control) => (
        <Input
          {...control}
          isMono
          autoComplete="off"
          placeholder="https://api.example.com/openapi.json"
          name="url"
          value={typed.url}
          onChange={(event) => setTyped({ url: event.target.value })}
        />
      )}
    </Field>
  );
}

/** Characters of one call: a function takes a limited number of arguments. */
const CHUNK = 8_192;

/** Compresses a text with gzip and returns it as base64. */
async function compressText(text: string): Promise<string> {
  const { readable, writable } = new CompressionStream("gzip");
  const writer = writable.getWriter();
  // The reader below reports a failure of either.
  void writer.write(new TextEncoder().encode(text)).catch(() => undefined);
  void writer.close().catch(() => undefined);
  const bytes = new Uint8Array(await new Response(readable).arrayBuffer());
  let characters = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    characters += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(characters);
}
