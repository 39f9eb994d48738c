import { z } from "zod";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { StepItem } from "#lib/contract/journal";
import type { RunObject } from "#lib/contract/run";
import { deriveLights, type Lights } from "@/components/canvas/store/derive-lights";
import type { FormErrors, FormValues } from "@/components/features/actions/try-form-values";

/** An output that is taken instead of executing the step, in tests only. */
export interface Pin {
  value: unknown;
  /** The run it was taken from: what is left as it was shown there keeps its real value. */
  fromRunId: string | null;
}

/** What a step last gave, and in which run. */
export interface KnownResult {
  step: StepItem;
  runId: string;
}

/** What a trigger received while a user listened. */
export interface Sample {
  /** As the trigger would have given it in a run. */
  output: unknown;
  receivedAt: string;
}

export interface TestState {
  isOpen: boolean;
  /** The fields of the input as typed; null until the user types or chooses: the example then. */
  texts: FormValues | null;
  /** The run that the texts were taken from. */
  textsFromRunId: string | null;
  errors: FormErrors;
  /** How many times `errors` were checked. After each, the form focuses the first field with an error. */
  attempts: number;
  /** Between asking for a run and its answer. */
  isStarting: boolean;
  refusal: Error | null;
  /** The run that is shown; null before the first. */
  run: RunObject | null;
  /** The step it ended at; null for a run of everything. */
  untilStep: string | null;
  /** The nodes of the drawing when it began. */
  nodeIds: readonly string[];
  lights: Lights;
  /** By node id: what is known from this page's tests, or from the workflow's last run. */
  results: Readonly<Record<string, KnownResult>>;
  pins: Readonly<Record<string, Pin>>;
  /** By node id; each is known until a run gives something later. */
  samples: Readonly<Record<string, Sample>>;
}

interface TestActions {
  open: (isOpen: boolean) => void;
  setTexts: (texts: FormValues, fromRunId: string | null) => void;
  showErrors: (errors: FormErrors) => void;
  starting: () => void;
  refuse: (refusal: Error | null) => void;
  begin: (run: RunObject, untilStep: string | null, nodeIds: readonly string[]) => void;
  /** Takes the run's current state. */
  hear: (run: RunObject) => void;
  /** A run of the past: its values are known from now on, its lights are not shown. */
  remember: (run: RunObject) => void;
  clear: () => void;
  pin: (nodeId: string, pin: Pin) => void;
  unpin: (nodeId: string) => void;
  /** An event that came: from now on it is what its trigger gave last. */
  keepSample: (nodeId: string, sample: Sample) => void;
  /** A node has got another id. */
  follow: (fromId: string, toId: string) => void;
}

export type Tests = TestState & TestActions;
export type TestStore = StoreApi<Tests>;

const INITIAL: Omit<TestState, keyof Kept> = {
  isOpen: false,
  errors: {},
  attempts: 0,
  isStarting: false,
  refusal: null,
  run: null,
  untilStep: null,
  nodeIds: [],
  lights: {},
  results: {},
};

/** One per open workflow. The last input and the pins stay in this browser; the document knows nothing of them. */
export function createTestStore(workflowId: string): TestStore {
  const kept = readKept(workflowId);
  const store = createStore<Tests>()((set, get) => ({
    ...INITIAL,
    ...kept,
    open: (isOpen) => set({ isOpen }),
    setTexts: (texts, textsFromRunId) => {
      const { texts: before, errors } = get();
      const left = Object.entries(errors).filter(([name]) => texts[name] === before?.[name]);
      set({ texts, textsFromRunId, errors: Object.fromEntries(left) });
    },
    showErrors: (errors) => set({ errors, attempts: get().attempts + 1 }),
    starting: () => set({ isStarting: true, refusal: null, errors: {} }),
    refuse: (refusal) => set({ isStarting: false, refusal }),
    begin: (run, untilStep, nodeIds) =>
      set({ run, untilStep, nodeIds, isStarting: false, refusal: null, lights: deriveLights(run, [], {}) }),
    hear: (run) => {
      const { nodeIds, untilStep, lights, results, samples } = get();
      const expected = untilStep === null ? nodeIds : [];
      const lit = deriveLights(run, expected, lights);
      set({ run, lights: lit, results: gather(results, run), samples: withoutGiven(samples, run) });
    },
    remember: (run) => {
      const { results } = get();
      const samples = withoutGiven(get().samples, run);
      const past = Object.entries(gather({}, run)).filter(([nodeId]) => !(nodeId in samples));
      set({ results: { ...Object.fromEntries(past), ...results }, samples });
    },
    clear: () => set({ run: null, lights: {}, refusal: null }),
    pin: (nodeId, pin) => set({ pins: { ...get().pins, [nodeId]: pin } }),
    unpin: (nodeId) => {
      const { [nodeId]: _gone, ...pins } = get().pins;
      set({ pins });
    },
    keepSample: (nodeId, sample) => {
      const { [nodeId]: _older, ...results } = get().results;
      set({ results, samples: { ...get().samples, [nodeId]: sample } });
    },
    follow: (fromId, toId) => {
      const { pins, samples, results, lights } = get();
      set({
        pins: rename(pins, fromId, toId),
        samples: rename(samples, fromId, toId),
        results: rename(results, fromId, toId),
        lights: rename(lights, fromId, toId),
      });
    },
  }));
  store.subscribe((state, before) => {
    const isKept = state.pins === before.pins && state.texts === before.texts && state.samples === before.samples;
    if (!isKept) writeKept(workflowId, state);
  });
  return store;
}

/** Of a loop's items the last counts. What was skipped or is still under way has given nothing. */
function gather(results: TestState["results"], run: RunObject): TestState["results"] {
  const next: Record<string, KnownResult> = { ...results };
  for (const step of run.steps) {
    const before = next[step.step_id];
    const isKnown = before?.runId === run.run_id && before.step.completed_at === step.completed_at;
    if (step.completed_at === null || (isKnown && step.iteration === null)) continue;
    next[step.step_id] = { step, runId: run.run_id };
  }
  return next;
}

/** The events that no step of the run has given something after. */
function withoutGiven(samples: TestState["samples"], run: RunObject): TestState["samples"] {
  const isGiven = ({ step_id: id, status, truncated, completed_at: at }: StepItem) => {
    const sample = samples[id];
    return sample !== undefined && status === "completed" && !truncated && at !== null && at > sample.receivedAt;
  };
  const ids = new Set(run.steps.filter(isGiven).map((step) => step.step_id));
  if (ids.size === 0) return samples;
  return Object.fromEntries(Object.entries(samples).filter(([nodeId]) => !ids.has(nodeId)));
}

function rename<T>(record: Readonly<Record<string, T>>, from: string, to: string): Readonly<Record<string, T>> {
  const { [from]: moved, ...others } = record;
  return moved === undefined ? record : { ...others, [to]: moved };
}

const keptSchema = z.object({
  texts: z.record(z.string(), z.string()).nullable(),
  textsFromRunId: z.string().nullable(),
  pins: z.record(z.string(), z.object({ value: z.unknown(), fromRunId: z.string().nullable() })),
  // Kept by an earlier version without its moment, an event is forgotten.
  samples: z.record(z.string(), z.object({ output: z.unknown(), receivedAt: z.string() })).catch({}),
});
type Kept = Pick<TestState, "texts" | "textsFromRunId" | "pins" | "samples">;

const NOTHING_KEPT: Kept = { texts: null, textsFromRunId: null, pins: {}, samples: {} };
const keyOf = (workflowId: string) => `signalbox.test.${workflowId}`;

function readKept(workflowId: string): Kept {
  try {
    const text = localStorage.getItem(keyOf(workflowId));
    return text === null ? NOTHING_KEPT : (keptSchema.parse(JSON.parse(text)) as Kept);
  } catch {
    return NOTHING_KEPT;
  }
}

/** Storage may be full or forbidden: the open page then keeps what it has to itself. */
function writeKept(workflowId: string, { texts, textsFromRunId, pins, samples }: Kept): void {
  try {
    localStorage.setItem(keyOf(workflowId), JSON.stringify({ texts, textsFromRunId, pins, samples }));
  } catch {
    // Nothing is lost that the page still shows.
  }
}
