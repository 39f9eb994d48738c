import { z } from "zod";
import type { GraphNode, StepCategory } from "#lib/contract/graph";
import type { JsonObject, PropertyType } from "#lib/contract/json-schema";
import type { WorkflowType } from "#lib/contract/workflow";
import type { AnyPrepared } from "#lib/core/engine/plan";
import type { FindOperation } from "#lib/core/steps/call-operation";

/** An output that an edge can leave a node by. */
export interface Branch {
  /** The edge's sourceHandle; null is "when it completed". */
  handle: string | null;
  /** What people read; empty when there is only one branch. */
  label: string;
}

/** A value that later steps can read from a step's output. */
export interface OutputField {
  path: readonly string[];
  /** Null when only a run knows the type. */
  type: PropertyType | null;
  description: string;
  /** The type of a list's items. */
  items?: PropertyType | null;
  /** The template that gives the value, and so its type. */
  template?: unknown;
}

/** A field of `data` whose value has to be of one type. */
export interface TypedField {
  /** Dotted path inside `data`. */
  field: string;
  template: unknown;
  expected: PropertyType;
  /** True when a text that is JSON counts as the object or list that it spells. */
  readsJson?: boolean;
}

/** Makes a node ready to run, once per workflow version. */
export type StepHandler = (node: GraphNode, findOperation: FindOperation) => AnyPrepared;

/** What a kind must say of itself, and what it says only when it differs from most kinds. */
interface StepKindSpec<Type extends string, Data extends z.ZodType> {
  type: Type;
  title: string;
  category: StepCategory;
  /** One line: what the step does, for people and agents. */
  description: string;
  /** What agents need to know and the data schema cannot say. */
  guidance?: string;
  /** Words that people search for and that the title does not hold. */
  keywords: string;
  /** The id of a new node; a number is added while it is taken. Defaults to the type. */
  baseId?: string;
  /** `data` of a node that can be published. Unknown keys are dropped: the canvas keeps its own state there too. */
  data: Data;
  newData: () => JsonObject;
  /** `data` that can be published, for agents to copy. */
  example: JsonObject;
  /** The least data that can be published. */
  least: JsonObject;
  /** What agents read about the output. */
  output: string;
  /** What later steps can read, from data of any shape; null when only a run knows. */
  outputFields: (data: JsonObject) => readonly OutputField[] | null;
  /** What the node's body and its `bodyTemplates` read instead of the output: the current item. */
  itemFields?: readonly OutputField[];
  /** From data of any shape. Defaults to a single branch; an empty list means that nothing follows the step. */
  branches?: (data: JsonObject) => readonly Branch[];
  /** Which handle the finished step chose; a function of its output alone. */
  chosenHandle?: (output: unknown) => string | null;
  /** What an edge without a handle means, if that is not "when it completed". */
  namelessHandle?: string;
  /** Where in `data` templates are: dotted paths, `*` for every item. Everything below such a path counts too. */
  templates: readonly string[];
  /** The same for templates that are filled in once for each item, with the item and what the body gave. */
  bodyTemplates?: readonly string[];
  /** Where in `data` lists of rules are, as paths like `templates`. */
  ruleLists?: readonly string[];
  typedFields?: (data: JsonObject) => readonly TypedField[];
  /** Set on a kind that a workflow starts with: the type of workflow it makes. */
  starts?: WorkflowType;
  /** True when other nodes may name it as their `parentId`. */
  holdsBody?: boolean;
  /** True when the step's output is the run's. */
  isResult?: boolean;
  /** False for the start and the end of a workflow. */
  fitsInLoop?: boolean;
  /** At most this many in one workflow. */
  max?: number;
  /** Whether a step waits for something, or calls something outside the run. */
  effects: "none" | "waits" | "calls";
  /** Loaded on demand: a browser needs the definition and never the handler. */
  handler: () => Promise<StepHandler>;
}

type Optional = "guidance" | "baseId" | "itemFields" | "branches" | "bodyTemplates" | "ruleLists" | "typedFields";

/** Everything the core knows of a kind of step. Data schema, checks, catalog and canvas derive from it. */
export interface StepKind<Type extends string = string, Data extends z.ZodType = z.ZodType>
  extends Required<Pick<StepKindSpec<Type, Data>, Optional>>,
    Omit<StepKindSpec<Type, Data>, Optional | "starts" | "holdsBody" | "isResult" | "fitsInLoop" | "max"> {
  starts: WorkflowType | null;
  holdsBody: boolean;
  isResult: boolean;
  fitsInLoop: boolean;
  /** False for a kind that a workflow starts with: no edge leads into it. */
  hasInput: boolean;
  /** Null when a workflow may hold any number. */
  max: number | null;
  /** True when a run can continue after the step failed: its data takes `continueOnFailure` and `maxRetries`. */
  canFail: boolean;
  /** True when trying again can help, because something outside the run may answer differently. */
  canRetry: boolean;
}

const ONE_BRANCH: readonly Branch[] = [{ handle: null, label: "" }];

export function defineStepKind<const Type extends string, Data extends z.ZodType>(
  spec: StepKindSpec<Type, Data>,
): StepKind<Type, Data> {
  const { starts = null, max = null } = spec;
  return {
    guidance: "",
    baseId: spec.type,
    itemFields: [],
    branches: () => ONE_BRANCH,
    bodyTemplates: [],
    ruleLists: [],
    typedFields: () => [],
    holdsBody: false,
    isResult: false,
    fitsInLoop: true,
    ...spec,
    starts,
    max,
    hasInput: starts === null,
    canFail: spec.data instanceof z.ZodObject && "continueOnFailure" in spec.data.shape,
    canRetry: spec.effects === "calls",
  };
}

/** The handles an edge may leave by; every node also has the nameless one, taken when the node completed. */
export function handlesOf(kind: Pick<StepKind, "branches">, data: JsonObject): string[] {
  return kind.branches(data).flatMap(({ handle }) => (handle === null ? [] : [handle]));
}
