"use client";

import { useRef } from "react";
import type { Path } from "@/components/canvas/document/edit-data";
import { renameField } from "@/components/canvas/document/rename-field";
import { useNodeField, useNodeList, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

interface FieldNameProps {
  /** Path of the item that contains the name; its list is this path without the last part. */
  itemPath: Path;
  placeholder: string;
}

/** Edits the name of a field that later steps use. Their expressions are updated while it is typed. */
export function FieldName({ itemPath, placeholder }: FieldNameProps) {
  const path = [...itemPath, "name"];
  const { node, write } = usePanel();
  const editor = useEditorStore();
  const field = useNodeField(path);
  const siblings = useNodeList(itemPath.slice(0, -1));
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const name = typeof field.value === "string" ? field.value : "";
  /** The name that expressions currently use, which can differ from the text while it is typed. */
  const inUse = useRef(name);
  function rename(to: string) {
    if (write !== null) return write(path, to);
    const others = siblings.filter((_, index) => index !== itemPath.at(-1)).map((sibling) => sibling.name);
    const { definition, edit } = editor.getState();
    // While it is typed, the text may briefly be empty or equal to another field's name.
    const isOwn = to !== "" && !others.includes(to) && !others.includes(inUse.current);
    const from = isOwn ? inUse.current : "";
    edit(renameField(definition, { node, path, from, to }), { burst: `${node.id}.${field.name}` });
    if (isOwn) inUse.current = to;
  }
  return (
    <Field label="Name" error={field.error}>
      {({ required: _required, ...control }) => (
        <Input
          {...control}
          isMono
          data-field={field.name}
          value={name}
          disabled={isReadOnly}
          placeholder={placeholder}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          onFocus={() => {
            inUse.current = name;
          }}
          onChange={(event) => rename(event.target.value)}
          onBlur={field.leave}
        />
      )}
    </Field>
  );
}
