"use client";

import { ChevronRight } from "lucide-react";
import { memo } from "react";
import type { DataField, DataSource } from "@/components/canvas/document/earlier-data";
import { useEarlierData, useInsertTarget } from "@/components/canvas/panel/fields/panel-context";
import { useEditor } from "@/components/canvas/store/draft-context";
import { toast } from "@/components/ui/toast";

/** Lists the values of earlier steps; a click or a drag inserts one into a field. */
export const EarlierDataList = memo(function EarlierDataList() {
  const sources = useEarlierData();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <section aria-label="Data from earlier steps" className="flex flex-col gap-1.5">
      <h2 className="font-semibold">Data from earlier steps</h2>
      {sources.length === 0 ? (
        <p className="text-dense text-text-3">No step runs before this one yet. Connect an earlier step to it.</p>
      ) : (
        <>
          <ul className="flex flex-col rounded-2 border border-border py-1">
            {sources.map((source) => (
              <SourceFields key={source.nodeId} source={source} />
            ))}
          </ul>
          {isReadOnly ? null : (
            <p className="text-dense text-text-3">
              Click or drag a value into a field, or type <code className="font-mono">{"{{"}</code> to search.
            </p>
          )}
        </>
      )}
    </section>
  );
});

const SourceFields = memo(function SourceFields({ source }: { source: DataSource }) {
  return (
    <li>
      <details open className="group">
        <summary className="flex items-center gap-1.5 rounded-1 py-1 pr-2.5 pl-1.5 -outline-offset-2 hover:bg-sunken">
          <ChevronRight
            aria-hidden
            className="size-3.5 shrink-0 text-text-3 transition-transform group-open:rotate-90"
          />
          <span className="font-mono text-dense text-text-3">{String(source.step).padStart(2, "0")}</span>
          <span className="min-w-0 flex-1 truncate font-mono text-dense" title={source.label}>
            {source.name}
          </span>
        </summary>
        {source.fields.length === 0 ? (
          <p className="py-1 pr-2.5 pl-9 text-dense text-text-3">No fields yet</p>
        ) : (
          <ul>
            {source.fields.map((field) => (
              <li key={field.expression}>
                <FieldButton field={field} />
              </li>
            ))}
          </ul>
        )}
      </details>
    </li>
  );
});

function FieldButton({ field }: { field: DataField }) {
  const insertTarget = useInsertTarget();
  async function insert() {
    if (insertTarget.current !== null) {
      insertTarget.current.insert(field.expression);
      return;
    }
    await navigator.clipboard.writeText(field.expression).then(
      () => toast.message(`Copied ${field.expression}. Paste it into a field.`),
      () => toast.message("Click a field first."),
    );
  }
  return (
    <button
      type="button"
      draggable
      onDragStart={(event) => event.dataTransfer.setData("text/plain", field.expression)}
      onClick={() => void insert()}
      title={field.description === "" ? field.expression : field.description}
      className="flex w-full items-baseline gap-2 rounded-1 py-1 pr-2.5 pl-9 text-left -outline-offset-2 hover:bg-sunken"
    >
      <span className="sr-only">Insert</span>
      <span className="min-w-0 flex-1 font-mono text-dense text-text-2 [overflow-wrap:anywhere]">
        {field.label}
        {field.sample === undefined ? null : (
          <span className="block truncate text-micro text-text-3">{field.sample}</span>
        )}
      </span>
      <span className="shrink-0 text-micro text-text-3">{field.type}</span>
    </button>
  );
}
