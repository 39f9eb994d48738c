"use client";

import { clsx } from "clsx";
import { ChevronDown, X } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { type OptionsOfField, useFieldOptions } from "@/components/canvas/panel/fields/use-field-options";
import { Field } from "@/components/ui/forms/field";
import { CONTROL_LOOK } from "@/components/ui/forms/input";
import { IconButton } from "@/components/ui/icon-button";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { LazyPopover } from "@/components/ui/overlays/lazy-popover";

const OptionList = lazy(() =>
  import("@/components/canvas/panel/fields/option-list").then((m) => ({ default: m.OptionList })),
);
const LIST_WIDTH = "w-(--radix-popover-trigger-width) min-w-72 max-w-[calc(100vw-1rem)]";

interface OptionFieldProps {
  path: readonly string[];
  label: string;
  isRequired: boolean;
  of: OptionsOfField;
  titleOf: (param: string) => string;
  /** Parses a text as the field's value. */
  parse: (text: string) => unknown;
  hint: ReactNode;
  /** Shown below the label. */
  description: ReactNode;
}

/** A param whose value is one of the service's choices, shown by its name there. */
export function OptionField({ path, label, isRequired, of, titleOf, parse, hint, description }: OptionFieldProps) {
  const field = useNodeField([...path]);
  const [isOpen, setIsOpen] = useState(false);
  const { value } = field;
  const isSet = value !== undefined && value !== null && value !== "";
  const found = useFieldOptions(of, { isWanted: isSet });
  const chosen = found.data?.options.find((option) => String(option.value) === String(value));
  function choose(next: unknown) {
    field.set(next);
    setIsOpen(false);
  }
  const shown = isSet ? (chosen?.label ?? printLiteral(value)) : "Choose…";
  return (
    <Field label={label} hint={hint} description={description} error={field.error}>
      {({ required: _required, ...control }) => (
        <span className="flex min-w-0 items-center gap-1">
          <LazyPopover
            isOpen={isOpen}
            onOpenChange={(open) => {
              setIsOpen(open);
              if (!open) field.leave();
            }}
            label={label}
            className={LIST_WIDTH}
            trigger={
              <button
                type="button"
                {...control}
                data-field={field.name}
                aria-label={`${label}: ${shown}`}
                className={clsx(CONTROL_LOOK, "flex h-control items-center justify-between gap-2 text-left")}
              >
                <span className={clsx("min-w-0 truncate", isSet ? "" : "text-text-3")}>{shown}</span>
                <span className="flex shrink-0 items-center gap-2 text-text-3">
                  {isSet && chosen !== undefined ? <span className="text-micro">{chosen.hint ?? ""}</span> : null}
                  <ChevronDown aria-hidden className="size-3.5" />
                </span>
              </button>
            }
          >
            <Suspense fallback={<Skeleton className="h-24 w-full" />}>
              <OptionList
                label={label}
                of={of}
                titleOf={titleOf}
                value={value}
                onChoose={choose}
                onType={(text) => choose(parse(text))}
              />
            </Suspense>
          </LazyPopover>
          {isSet && !isRequired ? (
            <IconButton icon={X} label={`Clear ${label}`} onClick={() => field.set(undefined)} />
          ) : null}
        </span>
      )}
    </Field>
  );
}

interface OptionInserterProps {
  label: string;
  of: OptionsOfField;
  titleOf: (param: string) => string;
  onChoose: (value: string | number) => void;
}

/** Adds one of the service's choices to a field with several values. */
export function OptionInserter({ label, of, titleOf, onChoose }: OptionInserterProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <LazyPopover
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      label={label}
      align="end"
      className={LIST_WIDTH}
      trigger={
        <button type="button" className="link">
          Add from the list
        </button>
      }
    >
      <Suspense fallback={<Skeleton className="h-24 w-full" />}>
        <OptionList label={label} of={of} titleOf={titleOf} onChoose={onChoose} />
      </Suspense>
    </LazyPopover>
  );
}
