import type { InputSchema, PropertySchema } from "#lib/contract/json-schema";
import type { PublishPreview } from "#lib/contract/web";
import type { SchemaChange } from "#lib/contract/workflow";
import { deriveInputSchema, deriveOutputSchema } from "#lib/graph/derive-schemas";
import { SchemaTable } from "@/components/actions/schema-table";
import { useDraft, useEditor } from "@/components/canvas/store/draft-context";
import { Chip } from "@/components/ui/chip";
import { Table, TableCell, TableRow } from "@/components/ui/table";
import { type Column, ColumnHeads } from "@/components/ui/table-skeleton";

const COLUMNS: readonly Column[] = [
  { key: "field", label: "Field" },
  { key: "was", label: "Was" },
  { key: "now", label: "Now" },
  { key: "verdict", label: "Verdict" },
];

/** What callers meet: the whole input at the first publish, what differs for them afterwards. */
export function ContractSection({ preview }: { preview: PublishPreview }) {
  const definition = useEditor((state) => state.definition);
  const before = useDraft((draft) => draft.facts.input_schema);
  const after = deriveInputSchema(definition);
  const output = deriveOutputSchema(definition);
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
    <section aria-label="Changes for callers" className="flex flex-col gap-2">
      <h3 className="font-semibold">Changes for callers</h3>
      {preview.changes.length === 0 ? (
        <p className="text-text-2">The input stays as it is. Callers notice nothing.</p>
      ) : (
        <ChangeTable changes={preview.changes} before={before} after={after} />
      )}
    </section>
  );
}

interface ChangeTableProps {
  changes: readonly SchemaChange[];
  before: InputSchema;
  after: InputSchema;
}

function ChangeTable({ changes, before, after }: ChangeTableProps) {
  return (
    <div className="overflow-hidden rounded-3 border border-border">
      <Table caption="Changes of the input" isPlain>
        <ColumnHeads columns={COLUMNS} />
        <tbody>
          {changes.map((change) => (
            <TableRow key={`${change.field} ${change.kind}`} className="last:border-b-0 hover:bg-transparent">
              <TableCell className="align-top font-mono text-dense">{change.field}</TableCell>
              <TableCell className="align-top font-mono text-dense text-text-2">
                {describeProperty(before, change.field)}
              </TableCell>
              <TableCell className="align-top font-mono text-dense text-text-2">
                {change.kind === "renamed" ? "renamed" : describeProperty(after, change.field)}
              </TableCell>
              <TableCell className="w-full min-w-56 align-top whitespace-normal">
                <Chip tone={change.breaking ? "err" : "ok"}>{change.breaking ? "Breaking" : "Safe"}</Chip>
                <span className="mt-1 block text-dense text-text-2">{change.message}</span>
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function describeProperty(schema: InputSchema, field: string): string {
  const property: PropertySchema | undefined = Object.hasOwn(schema.properties, field)
    ? schema.properties[field]
    : undefined;
  if (property === undefined) return "none";
  return `${property.type}${schema.required.includes(field) ? "" : ", optional"}`;
}
