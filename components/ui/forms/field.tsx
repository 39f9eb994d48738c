"use client";

import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

/** The attributes that connect a control to its label, description and error. */
export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  required: boolean | undefined;
}

interface FieldProps {
  label: ReactNode;
  description?: ReactNode;
  error?: string | null | undefined;
  isRequired?: boolean;
  /** To the right of the label: the type, "optional", a link. */
  hint?: ReactNode;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** A labeled control with its description below the label and its error below the control, both read with it. */
export function Field({ label, description, error, isRequired, hint, className, children }: FieldProps) {
  const id = useId();
  const descriptionId = description === undefined ? null : `${id}-description`;
  const errorId = error ? `${id}-error` : null;
  const describedBy = [descriptionId, errorId].filter((part) => part !== null).join(" ") || undefined;
  return (
    <div className={clsx("flex min-w-0 flex-col gap-1", className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint === undefined ? null : <span className="text-dense text-text-3">{hint}</span>}
      </div>
      {descriptionId === null ? null : (
        <p id={descriptionId} className="text-dense text-text-3">
          {description}
        </p>
      )}
      {children({
        id,
        "aria-describedby": describedBy,
        "aria-invalid": errorId === null ? undefined : true,
        required: isRequired,
      })}
      {errorId === null ? null : (
        <p id={errorId} className="text-dense text-err">
          {error}
        </p>
      )}
    </div>
  );
}
