import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { templateParts } from "@/components/canvas/expressions/template-parts";

const TEXT_LOOK =
  "col-start-1 row-start-1 px-2.5 py-[6px] font-mono text-dense [overflow-wrap:anywhere] whitespace-pre-wrap";

interface TemplateAreaProps extends ComponentProps<"textarea"> {
  value: string;
  rows: number;
  fieldName: string;
  isInvalid: boolean;
  /** Expressions to mark as broken, as written. */
  broken: ReadonlySet<string>;
}

/** A text area that draws chips for expressions behind its transparent text. */
export function TemplateArea({ fieldName, isInvalid, broken, ...area }: TemplateAreaProps) {
  return (
    <>
      <ChipLayer text={area.value} broken={broken} rows={area.rows} />
      <textarea
        {...area}
        data-field={fieldName}
        aria-autocomplete="list"
        aria-invalid={isInvalid || undefined}
        spellCheck={false}
        autoComplete="off"
        className={clsx(
          TEXT_LOOK,
          "resize-none overflow-hidden bg-transparent text-transparent caret-text selection:text-on-accent focus-visible:outline-none",
        )}
      />
    </>
  );
}

/** The same text a second time, with chips for its expressions. It also sets the height of the field. */
function ChipLayer({ text, broken, rows }: { text: string; broken: ReadonlySet<string>; rows: number }) {
  return (
    <div aria-hidden className={clsx(TEXT_LOOK, "pointer-events-none")} style={{ minHeight: rows * 18 + 12 }}>
      {templateParts(text).map((part) =>
        part.kind === "text" ? (
          <span key={part.start}>{part.text}</span>
        ) : (
          <mark
            key={part.start}
            className={clsx(
              "rounded-1 box-decoration-clone",
              broken.has(part.text) ? "bg-err-bg text-err" : "bg-accent-weak text-accent",
            )}
          >
            {part.text}
          </mark>
        ),
      )}
      {/* A trailing line break has no height by itself. */}
      {"\u200b"}
    </div>
  );
}
