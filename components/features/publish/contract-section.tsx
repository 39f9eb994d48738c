import type { PublishPreview } from "#lib/contract/publish";
import { SchemaTable } from "@/components/features/actions/schema-table";
import { CallerReportView } from "@/components/features/publish/caller-report-view";
import { ChangeTable } from "@/components/features/publish/change-table";
import { OutputChangeList } from "@/components/features/publish/output-change-list";

/** What callers meet: the whole input at the first publish, what differs for them afterwards. */
export function ContractSection({ preview }: { preview: PublishPreview }) {
  const { input_before: before, input_after: after, output_after: output } = preview;
  if (preview.action === null || before === null) {
    return (
      <section aria-label="Contract" className="flex flex-col gap-2">
        <h3 className="font-semibold">Contract</h3>
        <p className="text-text-2">Callers send</p>
        <SchemaTable properties={after.properties} required={after.required} />
        <p className="mt-1 text-text-2">and get back</p>
        <SchemaTable properties={output?.properties ?? {}} required={null} />
      </section>
    );
  }
  return (
    <>
      <section aria-label="Changes for callers" className="flex flex-col gap-2">
        <h3 className="font-semibold">Changes for callers</h3>
        {preview.changes.length === 0 ? (
          <p className="text-text-2">The input stays as it is. Callers notice nothing.</p>
        ) : (
          <ChangeTable changes={preview.changes} before={before} after={after} />
        )}
        {preview.output_changes.length === 0 ? null : (
          <>
            <p className="mt-1 text-text-2">What they get back changes, which refuses nobody:</p>
            <OutputChangeList changes={preview.output_changes} />
          </>
        )}
      </section>
      {preview.report === null ? null : <CallerReportView report={preview.report} />}
    </>
  );
}
