"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useRef } from "react";
import type { CustomConnectorObject } from "#lib/contract/connector/connector";
import { useOperation } from "@/components/api/operation-hooks";
import { BuilderOutcome } from "@/components/features/connectors/builder-outcome";
import { BuilderSettings } from "@/components/features/connectors/builder-settings";
import { BuilderSource, type SourceControls } from "@/components/features/connectors/builder-source";
import { useBuild } from "@/components/features/connectors/use-build";
import { useConnectorForm } from "@/components/features/connectors/use-connector-form";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/forms/form-error";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { toast } from "@/components/ui/toast";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const OperationChooser = lazy(() =>
  import("@/components/features/connectors/choice/operation-chooser").then((m) => ({ default: m.OperationChooser })),
);

const TRAIL = [
  { label: "Connections", href: "/connections" },
  { label: "Connectors", href: "/connections/connectors" },
];
const CODECS = { of: optionalTextCodec };

/** Builds a connector, or, with `of=<slug>` in the URL, a new version of one. */
export function ConnectorBuilder() {
  const [{ of: slug }] = useUrlState(CODECS);
  const canEdit = useHasRole("editor");
  const former = useOperation("get_custom_connector", { connector: slug ?? "" }, { enabled: slug !== null && canEdit });
  if (!canEdit) {
    return (
      <>
        <PageHeader title="Build a connector" trail={TRAIL} />
        <EmptyState title="You need the editor role to build connectors">
          Ask an admin or the owner of this workspace.
        </EmptyState>
      </>
    );
  }
  if (slug === null) return <Builder replaced={null} />;
  return (
    <QueryView query={former} skeleton={<Skeleton className="m-6 h-96" />} errorTitle="Couldn't load the connector.">
      {(connector) => <Builder replaced={connector} />}
    </QueryView>
  );
}

function Builder({ replaced }: { replaced: CustomConnectorObject | null }) {
  const router = useRouter();
  const source = useRef<SourceControls>(null);
  const building = useBuild((build) => {
    toast(`${builder.settings.name} built.`);
    router.push(`/connections/connectors/${build.connector}`);
  });
  const builder = useConnectorForm(replaced, building.follow);
  return (
    <>
      <PageHeader
        title={replaced === null ? "Build a connector" : `New version of ${replaced.name}`}
        trail={TRAIL}
        actions={
          <Button
            variant="primary"
            type="submit"
            form={builder.form.props.id}
            isBusy={builder.form.isBusy || building.isBuilding}
            disabled={builder.result?.valid === false}
          >
            {replaced === null ? "Build" : `Build v${replaced.version + 1}`}
          </Button>
        }
      />
      <div className="grid grid-cols-1 gap-8 p-4 sm:py-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <form {...builder.form.props} className="flex min-w-0 flex-col gap-8">
          <BuilderSource builder={builder} replaced={replaced} controls={source} />
          {builder.choice.offered.length === 0 ? null : (
            <Suspense>
              <OperationChooser
                offered={builder.choice.offered}
                chosen={builder.choice.chosen}
                onChange={builder.choice.choose}
              />
            </Suspense>
          )}
          <BuilderSettings builder={builder} isNew={replaced === null} />
          <FormError>{builder.form.general}</FormError>
        </form>
        <BuilderOutcome
          builder={builder}
          building={building}
          replaced={replaced}
          onShow={(pointer) => void source.current?.show(pointer)}
        />
      </div>
    </>
  );
}
