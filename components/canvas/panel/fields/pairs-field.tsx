"use client";

import { Plus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { nextFreeName } from "#lib/support/format/next-free-name";
import { isJsonObject } from "#lib/support/json";
import type { Path } from "@/components/canvas/document/edit-data";
import { takeInsertsIn } from "@/components/canvas/expressions/insert-reference";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";
import { useRowKeys } from "@/components/canvas/panel/fields/use-row-keys";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/forms/input";
import { IconButton } from "@/components/ui/icon-button";

interface PairsFieldProps {
  path: Path;
  title: string;
  noun: string;
  placeholder: string;
}

/** Edits names and values stored as an object, such as headers or query parameters. */
export function PairsField({ path, title, noun, placeholder }: PairsFieldProps) {
  const field = useNodeField(path);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const list = useRef<HTMLUListElement>(null);
  const pairs = isJsonObject(field.value) ? field.value : {};
  const names = Object.keys(pairs);
  const rows = useRowKeys(names.length);
  function add() {
    flushSync(() => field.set({ ...pairs, [nextFreeName("name", new Set(names))]: "" }));
    const name = list.current?.lastElementChild?.querySelector("input");
    name?.focus();
    name?.select();
  }
  /** A renamed pair keeps its position: the order of the object is the order on the screen. */
  function rename(from: string, to: string) {
    if (to === "" || to === from || names.includes(to)) return;
    field.set(Object.fromEntries(names.map((name) => [name === from ? to : name, pairs[name]])));
  }
  function remove(name: string, index: number) {
    rows.remove(index);
    const { [name]: _removed, ...rest } = pairs;
    field.set(Object.keys(rest).length === 0 ? undefined : rest);
  }
  return (
    <section aria-label={title} className="flex flex-col gap-1.5">
      <h2 className="font-medium">{title}</h2>
      {names.length === 0 ? null : (
        <ul ref={list} className="flex flex-col gap-2">
          {names.map((name, index) => (
            <li
              key={rows.keys[index]}
              onFocus={({ currentTarget }) => takeInsertsIn(currentTarget)}
              className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_26px] items-start gap-1.5"
            >
              <NameInput
                name={name}
                others={names.filter((other) => other !== name)}
                label={`Name of ${noun} ${index + 1}`}
                placeholder={placeholder}
                isReadOnly={isReadOnly}
                onRename={(to) => rename(name, to)}
              />
              <TemplateField path={[...path, name]} label={`Value of ${name}`} isLabelHidden />
              {isReadOnly ? null : <RemoveButton name={name} onRemove={() => remove(name, index)} />}
            </li>
          ))}
        </ul>
      )}
      {isReadOnly ? null : (
        <Button size="sm" className="self-start" onClick={add}>
          <Plus aria-hidden className="size-3.5" />
          Add {noun}
        </Button>
      )}
    </section>
  );
}

function RemoveButton({ name, onRemove }: { name: string; onRemove: () => void }) {
  return <IconButton icon={Trash2} size="sm" label={`Remove ${name}`} onClick={onRemove} className="mt-[3px]" />;
}

interface NameInputProps {
  name: string;
  others: readonly string[];
  label: string;
  placeholder: string;
  isReadOnly: boolean;
  onRename: (to: string) => void;
}

/** Keeps the typed text until it is a unique name, because two equal keys would become one. */
function NameInput({ name, others, label, placeholder, isReadOnly, onRename }: NameInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? name;
  const isTaken = others.includes(text);
  return (
    <Input
      isMono
      aria-label={label}
      aria-invalid={isTaken || undefined}
      title={isTaken ? "This name is already in use." : undefined}
      placeholder={placeholder}
      value={text}
      disabled={isReadOnly}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        setTyped(event.target.value);
        onRename(event.target.value.trim());
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
