"use client";

import { CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { BUILD_LIMITS, type BuildObject, type CustomConnectorObject } from "#lib/contract/connector/connector";
import type { FieldError } from "#lib/contract/error/api-error";
import { formatCount } from "#lib/support/format/format-number";
import { ChangeList, isUnchanged } from "@/components/features/connectors/change-list";
import { BrokenSteps } from "@/components/features/connectors/choice/broken-steps";
import { fieldOfPointer } from "@/components/features/connectors/field-of-pointer";
import { RouteList } from "@/components/features/connectors/route-list";
import type { useBuild } from "@/components/features/connectors/use-build";
import type { ConnectorFormState } from "@/components/features/connectors/use-connector-form";
import { Section } from "@/components/ui/lists/section";
import { ProgressBar } from "@/components/ui/progress-bar";

interface BuilderOutcomeProps {
  builder: ConnectorFormState;
  building: ReturnType<typeof useBuild>;
  replaced: CustomConnectorObject | null;
  /** Selects a place in the source. */
  onShow: (pointer: string) => void;
}

/** Previews the build: its errors, the skipped parts, the operations, and what they change. */
export function BuilderOutcome({ builder, building, replaced, onShow }: BuilderOutcomeProps) {
  const { result, problems } = builder;
  // A document that the server fetched is not in the form.
  const canShow = (pointer: string) => builder.typed.kind !== "address" || fieldOfPointer(pointer) !== null;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <BuildProgress building={building} />
      <Section title="Preview">
        <Verdict builder={builder} />
        {problems.length === 0 ? null : (
          <ul role="alert" className="flex flex-col gap-1 rounded-2 bg-err-bg px-3 py-2 text-err">
            {problems.map((problem) => (
              <li key={problem} className="[overflow-wrap:anywhere]">
                {problem}
              </li>
            ))}
          </ul>
        )}
        {result === null ? null : (
          <>
            <Findings
              title="Errors"
              isError
              findings={result.errors.filter(isNoChoice)}
              canShow={canShow}
              onShow={onShow}
            />
            <Findings title="Skipped" findings={result.left_out} canShow={canShow} onShow={onShow} />
          </>
        )}
      </Section>
      {result?.changes && replaced !== null ? (
        <Section title={`Changes since v${replaced.version}`}>
          {isUnchanged(result.changes) ? (
            <p className="text-text-2">No changes.</p>
          ) : (
            <ChangeList changes={result.changes} />
          )}
          <BrokenSteps steps={result.breaks} />
        </Section>
      ) : null}
      {result?.valid ? <RouteList routes={result.routes} /> : null}
    </div>
  );
}

function Verdict({ builder: { result, isChecking, problems } }: { builder: ConnectorFormState }) {
  if (isChecking) {
    return (
      <p role="status" className="flex items-center gap-2 text-text-2">
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
        Checking
      </p>
    );
  }
  if (result === null) {
    return problems.length > 0 ? null : (
      <p role="status" className="text-text-2">
        Enter a document, its URL, or an operation. Signalbox checks it as you type.
      </p>
    );
  }
  const count = result.operations.length;
  if (!result.errors.every(isNoChoice)) {
    return (
      <p role="status" className="text-text-2">
        The document has {formatCount(result.document?.operations ?? 0, "operation")}. Choose up to{" "}
        {BUILD_LIMITS.operations} of them.
      </p>
    );
  }
  return (
    <p role="status" className={`flex items-center gap-2 ${result.valid ? "text-ok" : "text-err"}`}>
      {result.valid ? <CircleCheck aria-hidden className="size-4" /> : <CircleAlert aria-hidden className="size-4" />}
      {result.valid ? `${formatCount(count, "operation")}` : "This connector can't be built."}
    </p>
  );
}

/** Too many operations are no fault of the document: the user chooses some of them. */
function isNoChoice({ code }: FieldError): boolean {
  return code !== "too_many_operations";
}

interface FindingsProps {
  title: string;
  isError?: boolean;
  findings: readonly (FieldError & { line?: number | undefined })[];
  /** Returns whether the form contains the place that a pointer points to. */
  canShow: (pointer: string) => boolean;
  onShow: (pointer: string) => void;
}

function Findings({ title, isError = false, findings, canShow, onShow }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <details open={isError} className="rounded-2 border border-border">
      <summary className={`cursor-pointer px-3 py-2 font-medium ${isError ? "text-err" : ""}`}>
        {title} ({findings.length})
      </summary>
      <ul className="max-h-80 divide-y divide-border overflow-y-auto border-t border-border">
        {findings.map(({ pointer, message, code, line }) => (
          <li key={`${pointer} ${code} ${message}`} className="flex flex-col gap-0.5 px-3 py-2">
            <span className="[overflow-wrap:anywhere]">
              {line === undefined ? "" : `Line ${line}: `}
              {message}
            </span>
            {pointer === "" ? null : !canShow(pointer) ? (
              <code className="font-mono text-dense text-text-3 [overflow-wrap:anywhere]">{pointer}</code>
            ) : (
              <button
                type="button"
                title="Show in document"
                className="link self-start text-left font-mono text-dense [overflow-wrap:anywhere]"
                onClick={() => onShow(pointer)}
              >
                {pointer}
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

const STAGES: Record<BuildObject["status"], string> = {
  queued: "Waiting for a worker",
  building: "Reading the document",
  ready: "Built",
  failed: "The build failed",
};

function BuildProgress({ building: { build, error, isBuilding } }: Pick<BuilderOutcomeProps, "building">) {
  if (error !== null) {
    return (
      <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err [overflow-wrap:anywhere]">
        {error.message}
      </p>
    );
  }
  if (build === null && !isBuilding) return null;
  const stage = STAGES[build?.status ?? "queued"];
  const isFailed = build?.status === "failed";
  return (
    <div role={isFailed ? "alert" : "status"} className="flex flex-col gap-2 rounded-2 border border-border px-3 py-2">
      <p className={isFailed ? "text-err" : ""}>{stage}</p>
      {isFailed ? null : <ProgressBar label={stage} value={build?.progress ?? 0} max={100} />}
      {build?.errors.map(({ pointer, message }) => (
        <p key={pointer + message} className="text-err [overflow-wrap:anywhere]">
          {message}
        </p>
      ))}
    </div>
  );
}
