"use client";

import { editNodeData } from "@/components/canvas/document/edit-data";
import { ConnectionPicker } from "@/components/canvas/panel/fields/connection-picker";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { ParamFields } from "@/components/canvas/panel/fields/param-fields";
import { ChoiceField } from "@/components/canvas/panel/fields/plain-field";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { useConnectionKinds } from "@/components/features/connections/use-connections";
import { Skeleton } from "@/components/ui/lists/skeleton";

/** Selects the service and event that start the workflow (contract, Triggers). */
export function EventForm() {
  const { node } = usePanel();
  const editor = useEditorStore();
  const kinds = useConnectionKinds();
  const { connector, event, name } = node.data;
  const offered = kinds.data?.data.filter((kind) => kind.triggers.length > 0) ?? [];
  const kind = offered.find((item) => item.connector === connector);
  const trigger = kind?.triggers.find((item) => item.event === event);
  function become(data: Record<string, unknown>) {
    const { definition, edit } = editor.getState();
    edit(editNodeData(definition, node.id, [], { name, kind: "connector", ...data }));
  }
  if (kinds.isPending) return <Skeleton className="h-24 w-full" />;
  const services = offered.map((item) => ({ value: item.connector, label: item.name }));
  const events = kind?.triggers.map((item) => ({ value: item.event, label: item.name })) ?? [];
  return (
    <>
      <ChoiceField
        path={["connector"]}
        label="Service"
        options={[{ value: "", label: "Choose…" }, ...services]}
        fallback=""
        onChoose={(next) => become({ connector: next, event: "", params: {} })}
      />
      {kind === undefined ? null : (
        <>
          <div className="flex flex-col gap-1">
            <ChoiceField
              path={["event"]}
              label="Event"
              options={[{ value: "", label: "Choose…" }, ...events]}
              fallback=""
              onChoose={(next) => become({ ...node.data, event: next, params: {} })}
            />
            {trigger === undefined ? null : <p className="text-dense text-text-3">{trigger.description}</p>}
          </div>
          <ConnectionPicker connector={kind.connector} />
          {trigger?.params_schema ? <ParamFields schema={trigger.params_schema} hasExpressions={false} /> : null}
        </>
      )}
    </>
  );
}
