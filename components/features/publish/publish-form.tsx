"use client";

import { useEffect } from "react";
import type { PublishPreview } from "#lib/contract/action/publish";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { GraphChangeList } from "@/components/canvas/view/graph-change-list";
import { Acknowledgement } from "@/components/features/publish/acknowledgement";
import { ApprovalChoice } from "@/components/features/publish/approval-choice";
import type { KeepName } from "@/components/features/publish/change-table";
import { ChecksSection } from "@/components/features/publish/checks-section";
import { ContractSection } from "@/components/features/publish/contract-section";
import { SlugField } from "@/components/features/publish/slug-field";
import type { PublishFormState } from "@/components/features/publish/use-publish-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

interface PublishBodyProps {
  state: PublishFormState;
  preview: PublishPreview;
  onWalk: ((problem: GraphProblem) => void) | null;
  /** Null if what is published cannot be edited. */
  onKeepName: KeepName | null;
}

export function PublishBody({ state, preview, onWalk, onKeepName }: PublishBodyProps) {
  const { form } = state;
  const body = form.props.ref;
  const isCallable = preview.type === "callable";
  // The dialog opened before the preview loaded, so the first required action gets the focus now. The changes come
  // before it in the document, so nothing scrolls.
  useEffect(() => {
    if (body.current?.contains(document.activeElement)) return;
    body.current?.querySelector<HTMLElement>("button,input:not([readonly])")?.focus({ preventScroll: true });
  }, [body]);
  return (
    <form {...form.props} className="flex flex-col gap-6">
      <ChecksSection problems={preview.problems} warnings={preview.warnings} onWalk={onWalk} />
      {isCallable ? <ContractSection preview={preview} onKeepName={onKeepName} /> : null}
      {preview.graph === null ? null : (
        <section aria-label="Step changes" className="flex flex-col gap-2">
          <h3 className="font-semibold">Step changes</h3>
          <GraphChangeList changes={preview.graph} />
        </section>
      )}
      {isCallable ? (
        <SlugField
          slug={preview.action?.slug ?? null}
          typed={state.slug}
          onType={(slug) => form.set("slug", slug)}
          check={state.slugCheck}
          problem={form.problem("slug")}
        />
      ) : null}
      {isCallable ? (
        <ApprovalChoice value={state.policy} onChange={(policy) => form.set("approval_policy", policy)} />
      ) : null}
      <Field
        label="Note"
        hint="optional"
        description="Describe what changed, for the version history."
        error={form.problem("note")}
      >
        {(control) => <Input {...control} {...form.register("note")} maxLength={500} />}
      </Field>
      <Acknowledgement
        preview={preview}
        value={state.acknowledged}
        onChange={(acknowledged) => form.set("acknowledged", acknowledged)}
      />
    </form>
  );
}

interface PublishFooterProps {
  state: PublishFormState;
  label: string;
  onCancel: () => void;
}

export function PublishFooter({ state, label, onCancel }: PublishFooterProps) {
  const { form, obstacle } = state;
  return (
    <>
      <p
        role={form.general === null ? undefined : "alert"}
        className="mr-auto self-center text-dense max-sm:basis-full"
      >
        {form.general === null ? (
          <span className="text-text-3">{obstacle}</span>
        ) : (
          <span className="text-err">{form.general}</span>
        )}
      </p>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" form={form.props.id} variant="primary" isBusy={form.isBusy} disabled={obstacle !== null}>
        {label}
      </Button>
    </>
  );
}
