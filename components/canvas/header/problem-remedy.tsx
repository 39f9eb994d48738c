"use client";

import { lazy, Suspense } from "react";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { editNodeData } from "@/components/canvas/document/edit-data";
import {
  AllowHost,
  fitsConnector,
  isConnectionMissing,
  prefillFor,
} from "@/components/canvas/panel/fields/problem-remedy";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";

const CreateConnectionDialog = lazy(() =>
  import("@/components/features/connections/create-connection-dialog").then((m) => ({
    default: m.CreateConnectionDialog,
  })),
);

interface ProblemRemedyProps {
  problem: GraphProblem;
  onCreate: () => void;
  onAddStep: () => void;
}

/** The button of a problem that no change of the drawing alone can fix. */
export function ProblemRemedy({ problem, onCreate, onAddStep }: ProblemRemedyProps) {
  if (problem.code === "TRIGGER_ALONE") return <Action onClick={onAddStep}>Add step</Action>;
  if (isConnectionMissing(problem)) return <Action onClick={onCreate}>New connection</Action>;
  return <AllowHost problem={problem} />;
}

function Action({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button size="sm" onClick={onClick}>
      {children}
    </Button>
  );
}

interface MissingConnectionProps {
  problem: GraphProblem;
  onClose: () => void;
}

/** Creates the connection that a step lacks, and chooses it for the step. */
export function MissingConnection({ problem, onClose }: MissingConnectionProps) {
  const editor = useEditorStore();
  const node = useEditor(({ definition }) => definition.nodes.find(({ id }) => id === problem.node_id));
  if (node === undefined) return null;
  const { connector } = node.data;
  // The origin of a problem is that of a custom connector, whose credentials are an HTTP connection.
  const kind = problem.origin === undefined ? connector : "http";
  return (
    <Suspense>
      <CreateConnectionDialog
        isOffered={fitsConnector(typeof kind === "string" ? kind : undefined)}
        prefill={prefillFor(problem.origin)}
        onClose={onClose}
        onCreated={({ connection_id: id }) => {
          const { definition, edit } = editor.getState();
          edit(editNodeData(definition, node.id, ["connection_id"], id));
        }}
      />
    </Suspense>
  );
}
