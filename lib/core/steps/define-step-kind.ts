import type { JsonObject, PropertyType } from "#lib/contract/wire/json-schema";
import type { GraphNode, StepCategory } from "#lib/contract/workflow/graph";
import type { WorkflowType } from "#lib/contract/workflow/workflow";
import { FAILED_HANDLE } from "#lib/core/engine/choose-path";
import type { AnyPrepared } from "#lib/core/engine/plan";
import type { ObjectShape, Shape } from "#lib/core/shapes/shape";
import type { FindOperation } from "#lib/core/steps/call-operation";

/** A named output of a node, which edges start from. */
export interface Branch {
  /** The edge's `sourceHandle`; null for the branch taken when the step completed. */
  handle: string | null;
  /** The name shown to people; empty if there is only one branch. */
  label: string;
  /** True for the branch that is taken when the step has failed. */
  isFailure?: true;
}

/** What exists outside a definition, as far as the place that checks it knows. */
export interface Catalog {
  /** The output of a connector's operation. */
  findOutput: (connector: string, operation: string, connectionId: string | null) => Shape;
  /** What code returns, as far as its text shows it. */
  readCode: (source: string) => Shape;
  /** The output of a published action. */
  findActionOutput: (slug: string) => Shape;
}

/** What a kind needs to derive the shape of its output. */
export interface ShapeContext {
  /** The shape of the value that a template of the node produces. */
  shapeOf: (template: unknown) => Shape;
  catalog: Catalog;
}

/** A field of `data` whose value must have a certain type. */
export interface TypedField {
  /** Dotted path inside `data`. */
  field: string;
  template: unknown;
  expected: PropertyType;
  /** True if a text that contains JSON counts as the object or list it describes. */
  readsJson?: boolean;
}

/** A value that its place can't hold. */
export interface ValueMisfit {
  /** Dotted path inside `data`. */
  field: string;
  /** The end of a sentence. */
  message: string;
}

/** The field of `data` that contains a program. */
export interface ProgramField {
  field: "source" | "jsonata";
  /** TypeScript gets the values of `programInputs`. JSONata gets the output of every step that it names. */
  language: "typescript" | "jsonata";
}

/** A value of an earlier step, on its way into a step that consists of named values. */
export interface NamedValue {
  name: string;
  type: PropertyType;
  /** The template that reads it. */
  expression: string;
  /** True if some runs have no such value. */
  canBeMissing: boolean;
}

/** Prepares a node for execution, once per workflow version. */
export type StepHandler = (node: GraphNode, findOperation: FindOperation) => AnyPrepared;

/** The definition of a kind. Optional fields are only set by kinds that differ from the default. */
type StepKindSpec<Type extends string> = StepKindFields<Type> & Effects;

/** Whether the step waits for something or calls something outside the run. */
type Effects =
  | { effects: "none" | "calls"; waitsFor?: undefined }
  /** The page of a run shows until when a step waits; a decision is shown as an approval. */
  | { effects: "waits"; waitsFor: "time" | "callback" | "decision" };

interface StepKindFields<Type extends string> {
  type: Type;
  title: string;
  category: StepCategory;
  /** One line: what the step does, for people and agents. */
  description: string;
  /** What agents need to know but the data schema can't express. */
  guidance?: string;
  /** Search terms that do not appear in the title. */
  keywords: string;
  /** The id of a new node. If it is taken, a number is added. Defaults to the type. */
  baseId?: string;
  newData: () => JsonObject;
  /** Publishable `data` that agents can copy. */
  example: JsonObject;
  /** The smallest publishable `data`. */
  least: JsonObject;
  /** Describes the output to agents. */
  output: string;
  /** The shape of the output, for data of any shape. */
  outputShape: (data: JsonObject, context: ShapeContext) => Shape;
  /** True if a service documents its output instead of guaranteeing it: a path that leads nowhere is only a warning. */
  isDocumented?: (data: JsonObject) => boolean;
  /** What the node's body and its `bodyTemplates` read instead of the output: the current item. */
  itemShape?: (data: JsonObject, context: ShapeContext) => ObjectShape;
  /**
   * The branches of a step that completed, for data of any shape. Defaults to a single branch; an empty list means that
   * no step can follow.
   */
  branches?: (data: JsonObject) => readonly Branch[];
  /** Returns the handle that the finished step chose; depends on its output alone. */
  chosenHandle?: (output: unknown) => string | null;
  /** The branch that an edge without a handle belongs to, if that is not simply "the step completed". */
  namelessHandle?: string;
  /** True if each step of this kind has an address that resumes the run, which earlier and parallel steps can read. */
  hasAddress?: boolean;
  /** Where `data` contains templates: dotted paths, `*` for every item. Everything below such a path is included. */
  templates: readonly string[];
  /** The same for templates that are resolved once per item, with the item and the output of the body. */
  bodyTemplates?: readonly string[];
  /** Where `data` contains lists of rules, as paths like `templates`. */
  ruleLists?: readonly string[];
  /** The program that the author writes, if there is one. */
  program?: ProgramField;
  /** The templates whose values the author's own program receives, and so can handle if they are null. */
  programInputs?: readonly string[];
  /**
   * False if the output repeats nothing of the settings: they are sent to a recipient, or only decide. By default a secret
   * in a setting is followed into the steps that read the output.
   */
  repeatsSettings?: boolean;
  /** Returns the data with one more named value; null if this data has no place for it. Defaults to null. */
  addValue?: (data: JsonObject, value: NamedValue) => JsonObject | null;
  typedFields?: (data: JsonObject) => readonly TypedField[];
  /**
   * Finds values that the step can't use, whatever a run contains, for data of any shape. The function returns the type of
   * the value that a template produces; null if it is unknown.
   */
  findMisfits?: (data: JsonObject, typeOf: (template: unknown) => PropertyType | null) => readonly ValueMisfit[];
  /** Set if a workflow can start with this kind: the type of that workflow. */
  starts?: WorkflowType;
  /** True if other nodes can name this node as their `parentId`. */
  holdsBody?: boolean;
  /** True if the step's output is the output of the run. */
  isResult?: boolean;
  /** False for the start and the end of a workflow. */
  fitsInLoop?: boolean;
  /** The maximum number of such nodes in a workflow. */
  max?: number;
  /** False if the run always ends when such a step fails. Defaults to true for kinds that other steps can follow. */
  canFail?: boolean;
  /** True if the data accepts `continueOnFailure` and the settings of retries. */
  canContinue?: boolean;
  /** Loads the handler on demand: a browser needs the definition but never the handler. */
  handler: () => Promise<StepHandler>;
}

type Optional =
  | "isDocumented"
  | "guidance"
  | "baseId"
  | "branches"
  | "bodyTemplates"
  | "ruleLists"
  | "programInputs"
  | "repeatsSettings"
  | "addValue"
  | "typedFields"
  | "findMisfits"
  | "canContinue";

/** Everything the core knows about a kind of step. The data schema, checks, catalog and canvas are derived from it. */
export interface StepKind<Type extends string = string>
  extends Required<Pick<StepKindFields<Type>, Optional>>,
    Omit<
      StepKindFields<Type>,
      | Optional
      | "itemShape"
      | "program"
      | "starts"
      | "holdsBody"
      | "isResult"
      | "hasAddress"
      | "fitsInLoop"
      | "max"
      | "canFail"
    > {
  /** Null for a kind that does not work through a list. */
  itemShape: ((data: JsonObject, context: ShapeContext) => ObjectShape) | null;
  program: ProgramField | null;
  effects: Effects["effects"];
  /** Undefined for a kind that does not wait. */
  waitsFor: Effects["waitsFor"];
  starts: WorkflowType | null;
  holdsBody: boolean;
  isResult: boolean;
  hasAddress: boolean;
  fitsInLoop: boolean;
  /** False for a kind that starts a workflow: no edge leads into it. */
  hasInput: boolean;
  /** The maximum number of such nodes in a workflow; null if there is no limit. */
  max: number | null;
  /** True if the step has a Failed branch, which a run takes when the step has failed. */
  canFail: boolean;
  /** True if people can disable such a step: the start and the outputs of a workflow are what its callers rely on. */
  canDisable: boolean;
  /** True if a retry can help, because something outside the run may answer differently. */
  canRetry: boolean;
}

const ONE_BRANCH: readonly Branch[] = [{ handle: null, label: "" }];

export function defineStepKind<const Type extends string>(spec: StepKindSpec<Type>): StepKind<Type> {
  const { starts = null, max = null, itemShape = null, program = null } = spec;
  return {
    guidance: "",
    isDocumented: () => false,
    baseId: spec.type,
    branches: () => ONE_BRANCH,
    bodyTemplates: [],
    ruleLists: [],
    programInputs: [],
    repeatsSettings: true,
    addValue: () => null,
    typedFields: () => [],
    findMisfits: () => [],
    holdsBody: false,
    isResult: false,
    hasAddress: false,
    canContinue: false,
    fitsInLoop: true,
    ...spec,
    waitsFor: spec.waitsFor,
    itemShape,
    program,
    starts,
    max,
    hasInput: starts === null,
    canFail: spec.canFail ?? (starts === null && spec.isResult !== true),
    canDisable: starts === null && spec.isResult !== true,
    canRetry: spec.effects === "calls",
  };
}

/** Returns the text of a node's program; null for a node without one. */
export function programOf({ program }: Pick<StepKind, "program">, data: JsonObject): string | null {
  const text = program === null ? undefined : data[program.field];
  return typeof text === "string" ? text : null;
}

const FAILED_BRANCH: Branch = { handle: FAILED_HANDLE, label: "Failed", isFailure: true };

/** Lists all branches of a node: its own, and the one that a run takes when the step has failed. */
export function allBranches(kind: Pick<StepKind, "branches" | "canFail">, data: JsonObject): readonly Branch[] {
  const branches = kind.branches(data);
  return hasFailedBranch(kind, data) ? [...branches, FAILED_BRANCH] : branches;
}

/** Returns true if a node has a Failed branch. A switch whose author called a case `failed` keeps that case instead. */
export function hasFailedBranch({ canFail, branches }: Pick<StepKind, "branches" | "canFail">, data: JsonObject) {
  return canFail && !branches(data).some(({ handle }) => handle === FAILED_HANDLE);
}

/** Lists the named handles of a node. Every node also has an unnamed one, taken when the node completed. */
export function handlesOf(kind: Pick<StepKind, "branches" | "canFail">, data: JsonObject): string[] {
  return allBranches(kind, data).flatMap(({ handle }) => (handle === null ? [] : [handle]));
}
