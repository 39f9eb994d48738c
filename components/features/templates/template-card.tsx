import { Play } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import type { TemplateObject } from "#lib/contract/workflow/template";
import { appsOf, PURPOSE_WORDS, START_WORDS } from "@/components/features/templates/template-words";
import type { TemplateUse } from "@/components/features/templates/use-template";
import { useHasRole } from "@/components/shell/session-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";

/** The code that the drawings need loads while the templates are fetched. */
export const loadDrawing = () => import("@/components/features/templates/mini-diagram");
const MiniDiagram = lazy(() => loadDrawing().then((m) => ({ default: m.MiniDiagram })));

interface TemplateCardProps {
  template: TemplateObject;
  nameOf: (connector: string) => string;
  use: TemplateUse;
}

export function TemplateCard({ template, nameOf, use }: TemplateCardProps) {
  const headingId = useId();
  const { name, about, purpose, starts, needs, definition } = template;
  return (
    <li aria-labelledby={headingId} className="flex flex-col rounded-3 border border-border bg-surface">
      <div className="h-44 rounded-t-3 border-b border-border bg-canvas p-2">
        <Suspense>
          <MiniDiagram definition={definition} label={`Drawing of ${name}`} />
        </Suspense>
      </div>
      <div className="flex flex-1 flex-col gap-2 p-4">
        <h2 id={headingId} className="flex items-center gap-2 font-semibold">
          {name}
          <Badge>{START_WORDS[starts]}</Badge>
        </h2>
        <p className="text-text-2">{about}</p>
        <p className="text-dense text-text-3">
          {[PURPOSE_WORDS[purpose], ...appsOf(template).map(nameOf)].join(" · ")}
        </p>
        {needs.length === 0 ? null : <p className="text-dense text-text-3">Needs: {needs.join("; ").toLowerCase()}.</p>}
        <TemplateButtons template={template} use={use} />
      </div>
    </li>
  );
}

function TemplateButtons({ template, use }: { template: TemplateObject; use: TemplateUse }) {
  const canEdit = useHasRole("editor");
  if (!canEdit) return null;
  const isMine = use.busyId === template.template_id;
  return (
    <div className="mt-auto flex flex-wrap items-center gap-2 pt-2">
      <Button isBusy={isMine && !use.isRunning} disabled={use.busyId !== null} onClick={() => use.open(template)}>
        Use template
        <span className="sr-only">: {template.name}</span>
      </Button>
      {template.needs.length > 0 ? null : (
        <Button
          variant="ghost"
          isBusy={isMine && use.isRunning}
          disabled={use.busyId !== null}
          onClick={() => use.run(template)}
        >
          <Play aria-hidden className="size-3.5" />
          Use and run it once
          <span className="sr-only">: {template.name}</span>
        </Button>
      )}
    </div>
  );
}
