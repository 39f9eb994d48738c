"use client";

import { Play, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { formatCount } from "#lib/support/format/format-number";
import { Specimen, SpecimenSheet } from "@/components/pages/design/specimen";
import { Button, type ButtonProps } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Kbd } from "@/components/ui/forms/kbd";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";

const VARIANTS: readonly [variant: NonNullable<ButtonProps["variant"]>, label: string][] = [
  ["primary", "Primary"],
  ["secondary", "Secondary"],
  ["field", "Next to text controls"],
  ["field-chosen", "Next to text controls, selected"],
  ["ghost", "Ghost"],
  ["danger", "Danger"],
  ["danger-solid", "Danger, in a confirmation"],
];

/** Every variant at rest, small, disabled and busy. */
export function ButtonSpecimens() {
  const [pressed, setPressed] = useState(0);
  const press = () => setPressed((times) => times + 1);
  return (
    <SpecimenSheet>
      {VARIANTS.map(([variant, label]) => (
        <Specimen key={variant} name={label}>
          <Button variant={variant} onClick={press}>
            <Plus aria-hidden className="size-4" />
            Create key
          </Button>
          <Button variant={variant} size="sm" onClick={press}>
            Small
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
          <Button variant={variant} isBusy>
            Busy
          </Button>
        </Specimen>
      ))}
      <Specimen name="A link that looks like a button">
        <Button asChild>
          <Link href="/workflows">All workflows</Link>
        </Button>
      </Specimen>
      <Specimen name="Icon buttons">
        <IconButton icon={Play} label="Run the draft" shortcut="⌘↵" onClick={press} />
        <IconButton icon={Trash2} label="Delete" size="sm" onClick={press} />
        <IconButton icon={Plus} label="Add a step" variant="secondary" onClick={press} />
        <IconButton icon={Trash2} label="Delete, not now" disabled />
      </Specimen>
      <Specimen name="Copy">
        <CopyButton value="0199b7c2-0000-7000-8000-000000000000" label="Copy run ID" />
        <CopyButton value="order-status" label="Copy slug" hasText size="md" />
      </Specimen>
      <Specimen name="Keys">
        <Kbd>⌘K</Kbd>
        <span className="rounded-2 bg-primary px-2 py-1">
          <Kbd isInverse>Esc</Kbd>
        </span>
      </Specimen>
      <p role="status" className="w-full text-dense text-text-3">
        Pressed {formatCount(pressed, "time")}.
      </p>
    </SpecimenSheet>
  );
}
