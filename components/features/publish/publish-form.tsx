"use client";

import { type FormEvent, useEffect, useRef } from "react";
import type { PublishPreview } from "#lib/contract/publish";
import type { GraphProblem } from "#lib/contract/workflow";
import { GraphChangeList } from "@/components/canvas/view/graph-change-list";
import { Acknowledgement } from "@/components/features/publish/acknowledgement";
import { ApprovalChoice } from "@/components/features/publish/approval-choice";
import { ChecksSection } from "@/components/features/publish/checks-section";
import { ContractSection } from "@/components/features/publish/contract-section";
import { SlugField } from "@/components/features/publish/slug-field";
import type { PublishFormState } from "@/components/features/publish/use-publish-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

interface PublishBodyProps {
  form: PublishFormState;
  preview: PublishPreview;
  onWalk: ((problem: GraphProblem) => void) | null;
}

export function PublishBody({ form, preview, onWalk }: PublishBodyProps) {
  const isCallable = preview.type === "callable";
  const body = useRef<HTMLFormElement>(null);
  // The dialog opened before there was anything to decide; what is to be done first gets the focus now. What changes is
  // read before it, so nothing scrolls.
  useEffect(() => {
    if (body.current?.contains(document.activeElement)) return;
    body.current?.querySelector<HTMLElement>("button,input:not([readonly])")?.focus({ preventScroll: true });
  }, []);
  function submit(event: FormEvent) {
    event.preventDefault();
    form.submit();
  }
  return (
    <form ref={body} id={form.formId} noValidate onSubmit={submit} className="flex flex-col gap-6">
      <ChecksSection problems={preview.problems} onWalk={onWalk} />
      {isCallable ? <ContractSection preview={preview} /> : null}
      {preview.graph === null ? null : (
        <section aria-label="Changes of the steps" className="flex flex-col gap-2">
          <h3 className="font-semibold">Changes of the steps</h3>
          <GraphChangeList changes={preview.graph} />
        </section>
      )}
      {isCallable ? (
        <SlugField slug={preview.action?.slug ?? null} typed={form.slug} onType={form.setSlug} check={form.slugCheck} />
      ) : null}
      {isCallable ? <ApprovalChoice value={form.policy} onChange={form.setPolicy} /> : null}
      <Field label="Note" hint="optional" description="What changed, for the version's history.">
        {(control) => (
          <Input
            {...control}
            maxLength={500}
            value={form.note}
            onChange={(event) => form.setNote(event.target.value)}
          />
        )}
      </Field>
      <Acknowledgement preview={preview} value={form.acknowledged} onChange={form.setAcknowledged} />
    </form>
  );
}

interface PublishFooterProps {
  form: PublishFormState;
  label: string;
  onCancel: () => void;
}

export function PublishFooter({ form, label, onCancel }: PublishFooterProps) {
  return (
    <>
      <p role={form.error === null ? undefined : "alert"} className="mr-auto self-center text-dense max-sm:basis-full">
        {form.error === null ? (
          <span className="text-text-3">{form.obstacle}</span>
        ) : (
          <span className="text-err">{form.error.message}</span>
        )}
      </p>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" form={form.formId} variant="primary" isBusy={form.isBusy} disabled={form.obstacle !== null}>
        {label}
      </Button>
    </>
  );
}
