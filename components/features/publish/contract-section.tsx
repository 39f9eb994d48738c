import type { PublishPreview } from "#lib/contract/action/publish";
import { currentSchema } from "#lib/core/input/input-aliases";
import { SchemaTable } from "@/components/features/actions/schema-table";
import { CallerReportView } from "@/components/features/publish/caller-report-view";
import { ChangeTable, type KeepName } from "@/components/features/publish/change-table";
import { OutputChangeList } from "@/components/features/publish/output-change-list";

interface ContractSectionProps {
  preview: PublishPreview;
  onKeepName: KeepName | null;
}

/** Shows the contract to callers: the whole input at the first publish, and only the changes afterwards. */
export function ContractSection({ preview, onKeepName }: ContractSectionProps) {
  const { input_before: before, input_after: after, output_after: output } = preview;
  if (preview.action === null || before === null) {
    return (
      <section aria-label="Contract" className="flex flex-col gap-2">
        <h3 className="font-semibold">Contract</h3>
        <p className="text-text-2">Callers send:</p>
        <SchemaTable properties={after.properties} required={currentSchema(after).required} />
        <p className="mt-1 text-text-2">Callers get back:</p>
        <SchemaTable properties={output?.properties ?? {}} required={null} />
      </section>
    );
  }
  return (
    <>
      <section aria-label="Changes for callers" className="flex flex-col gap-2">
        <h3 className="font-semibold">Changes for callers</h3>
        {preview.changes.length === 0 ? (
          <p className="text-text-2">The input doesn't change, so no calls are refused.</p>
        ) : (
          <ChangeTable changes={preview.changes} before={before} after={after} onKeepName={onKeepName} />
        )}
        {preview.output_changes.length === 0 ? null : (
          <>
            <p className="mt-1 text-text-2">The output changes, but no calls are refused because of that:</p>
            <OutputChangeList changes={preview.output_changes} />
          </>
        )}
      </section>
      {preview.report === null ? null : <CallerReportView report={preview.report} />}
    </>
  );
}
