"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import type { Catalog } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { type Analysis, problemsOf } from "@/components/canvas/document/analysis";
import { describeFieldProblem } from "@/components/canvas/document/describe-problem";
import { type DataSource, earlierData, itemData } from "@/components/canvas/document/earlier-data";
import { editNodeData, fieldName, type Path } from "@/components/canvas/document/edit-data";
import { loopsAround } from "@/components/canvas/document/frames";
import { useDeclaredOutputs } from "@/components/canvas/panel/fields/use-declared-outputs";
import { knownOutput, withSamples } from "@/components/canvas/samples/known-values";
import { useAnalysis, useEditorStore, useKnown } from "@/components/canvas/store/draft-context";
import { afterPointer, watchPointer } from "@/components/ui/after-pointer";

interface PanelState {
  node: GraphNode;
  problems: readonly GraphProblem[];
  /** Fields that show their problems: the user has left them, or came here because of a problem. */
  warnings: readonly GraphProblem[];
  revealed: ReadonlySet<string>;
  reveal: (field: string) => void;
  /** Edits data that the node stores in another form; null for the node's own data. */
  write: ((path: Path, value: unknown) => void) | null;
}

const PanelContext = createContext<PanelState | null>(null);
/** Separate from the other context, so that the list of values doesn't render again for every letter typed. */
const SourcesContext = createContext<readonly DataSource[]>([]);
const CatalogContext = createContext<Catalog | undefined>(undefined);

interface PanelProviderProps {
  node: GraphNode;
  /** The fields of a node that was just added that the user has left: no others show problems yet. Null otherwise. */
  leftFields: readonly string[] | null;
  children: ReactNode;
}

export function PanelProvider({ node, leftFields, children }: PanelProviderProps) {
  const analysis = useAnalysis();
  useEffect(watchPointer, []);
  const problems = problemsOf(analysis, node.id);
  const all = () => problems.map((problem) => problem.field ?? "");
  const isFresh = leftFields !== null;
  const [wasFresh, setWasFresh] = useState(isFresh);
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(() => new Set(leftFields ?? all()));
  if (wasFresh !== isFresh) {
    setWasFresh(isFresh);
    if (!isFresh) setRevealed(new Set(all()));
  }
  const state = useMemo(
    () => ({
      node,
      problems,
      warnings: analysis.warnings.filter((warning) => warning.node_id === node.id),
      revealed,
      reveal: (field: string) => setRevealed((before) => (before.has(field) ? before : new Set([...before, field]))),
      write: null,
    }),
    [node, problems, analysis.warnings, revealed],
  );
  const catalog = useDeclaredOutputs(analysis, node.id);
  const sources = useStableSources(analysis, catalog, node.id);
  return (
    <CatalogContext value={catalog}>
      <SourcesContext value={sources}>
        <PanelContext value={state}>{children}</PanelContext>
      </SourcesContext>
    </CatalogContext>
  );
}

/** Returns the analysis of the drawing, with what the steps before the panel's one declare. */
export function usePanelAnalysis(): Analysis {
  const catalog = useContext(CatalogContext);
  const analysis = useAnalysis();
  return useMemo(() => (catalog === undefined ? analysis : { ...analysis, catalog }), [analysis, catalog]);
}

interface InnerDataProviderProps {
  data: Record<string, unknown>;
  write: (path: Path, value: unknown) => void;
  children: ReactNode;
}

/** Lets fields edit data that the node stores in another form, such as the fields of a JSON Schema. */
export function InnerDataProvider({ data, write, children }: InnerDataProviderProps) {
  const panel = usePanel();
  const state = { ...panel, node: { ...panel.node, data }, problems: [], warnings: [], write };
  return <PanelContext value={state}>{children}</PanelContext>;
}

/** Returns the values that the panel's expressions can use. Unchanged parts stay the same objects. */
function useStableSources(analysis: Analysis, catalog: Catalog | undefined, nodeId: string): readonly DataSource[] {
  const last = useRef<readonly DataSource[]>([]);
  const madeOf = useRef(new WeakMap<DataSource, readonly unknown[]>());
  const known = useKnown();
  return useMemo(() => {
    const before = new Map(last.current.map((source) => [source.nodeId, source]));
    const around = new Set(loopsAround(analysis.index.definition, nodeId));
    const sources = earlierData({ ...analysis, catalog }, nodeId).map((declared) => {
      // Inside a loop, the loop's name refers to the current item, not to its whole output.
      const isAround = around.has(declared.nodeId);
      const output = isAround ? undefined : knownOutput(known, declared.nodeId);
      const parts = [
        catalog,
        analysis.index.nodes.get(declared.nodeId),
        declared.name,
        declared.step,
        isAround,
        output,
      ];
      const former = before.get(declared.nodeId);
      const formerParts = former === undefined ? undefined : madeOf.current.get(former);
      if (former !== undefined && parts.every((part, at) => part === formerParts?.[at])) return former;
      const made = withSamples(declared, output);
      const source = former !== undefined && JSON.stringify(former) === JSON.stringify(made) ? former : made;
      madeOf.current.set(source, parts);
      return source;
    });
    const isSame =
      sources.length === last.current.length && sources.every((source, index) => source === last.current[index]);
    if (!isSame) last.current = sources;
    return last.current;
  }, [analysis, catalog, nodeId, known]);
}

export function useEarlierData(): readonly DataSource[] {
  return useContext(SourcesContext);
}

const NO_SOURCES: readonly DataSource[] = [];

/** Returns the data that a list step can use for each item: earlier data, the item, and the outputs of its body. */
export function useItemData(): readonly DataSource[] {
  const { node } = usePanel();
  const analysis = usePanelAnalysis();
  return useMemo(
    () => (STEP_KINDS[node.type].itemShape !== null ? itemData(analysis, node.id) : NO_SOURCES),
    [analysis, node],
  );
}

export function usePanel(): PanelState {
  const state = useContext(PanelContext);
  if (state === null) throw new Error("Panel fields must be inside PanelProvider.");
  return state;
}

/** One field of the node in the panel. */
export interface NodeField {
  /** The path as problems name it, also set as `data-field` on the control. */
  name: string;
  value: unknown;
  /** Undefined removes the key or the item. */
  set: (value: unknown) => void;
  error: string | null;
  problems: readonly GraphProblem[];
  /** A likely mistake in a value that is valid for the form. */
  warning: string | null;
  /** Called when the user leaves the field; from then on its problems are shown, once no press can miss its target. */
  leave: () => void;
}

/**
 * @param path inside the node's data
 * @param options.isDeep also includes problems below the path: a body has many templates in one control
 */
export function useNodeField(path: Path, { isDeep = false }: { isDeep?: boolean } = {}): NodeField {
  const { node, problems, warnings, revealed, reveal, write } = usePanel();
  const editor = useEditorStore();
  const name = fieldName(path);
  const own = problems.filter((problem) => {
    const field = problem.field ?? "";
    return field === name || (isDeep && field.startsWith(`${name}.`));
  });
  const [first] = own;
  const warned = warnings.find((warning) => warning.field === name);
  const isShown = own.some((problem) => revealed.has(problem.field ?? "")) || revealed.has(name);
  return {
    name,
    value: valueAt(node.data, path),
    set: (value) => {
      if (write !== null) return write(path, value);
      const { definition, edit } = editor.getState();
      edit(editNodeData(definition, node.id, path, value), { burst: `${node.id}.${name}` });
    },
    error: first === undefined || !isShown ? null : describeFieldProblem(first, node),
    problems: own,
    warning: warned === undefined ? null : describeFieldProblem(warned, node),
    leave: () =>
      afterPointer(() => {
        reveal(name);
        editor.getState().leaveField(node.id, name);
      }),
  };
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
}

/** Returns the items at a path, and accepts any content that a draft from elsewhere may have there. */
export function useNodeList(path: Path): Record<string, unknown>[] {
  const { node } = usePanel();
  const value = valueAt(node.data, path);
  if (!Array.isArray(value)) return [];
  return value.map((item) => (typeof item === "object" && item !== null ? (item as Record<string, unknown>) : {}));
}
