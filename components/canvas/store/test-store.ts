import { createStore, type StoreApi } from "zustand/vanilla";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import { followId } from "@/components/canvas/document/rename-node";
import { deriveLights, type Lights } from "@/components/canvas/store/derive-lights";
import { type Kept, readKept, writeKept } from "@/components/canvas/store/kept-tests";
import type { FormErrors, FormValues } from "@/components/features/actions/try-form-values";

/** An output that tests use instead of executing the step. */
export interface Pin {
  value: unknown;
  /** The run that the output was copied from; redacted parts keep their real values from that run. */
  fromRunId: string | null;
}

/** A step's last result, and its run. */
export interface KnownResult {
  step: StepItem;
  runId: string;
}

/** An event that a trigger received while the user was listening. */
export interface Sample {
  /** In the form that the trigger would output in a run. */
  output: unknown;
  receivedAt: string;
}

export interface TestState {
  isOpen: boolean;
  /** True after the user opened the panel to enter an input, until a field of it has the focus. */
  wantsInput: boolean;
  /** The input fields as typed; null until the user types or chooses a preset, and then the example is used. */
  texts: FormValues | null;
  /** The run that the texts were copied from. */
  textsFromRunId: string | null;
  errors: FormErrors;
  /** The number of times the input was checked. After each check, the form focuses the first field with an error. */
  attempts: number;
  /** True between the request for a run and its answer. */
  isStarting: boolean;
  refusal: Error | null;
  /** The displayed run; null before the first. */
  run: RunObject | null;
  /** An earlier run that the user opened in the editor, to see its values at the steps. */
  openedRunId: string | null;
  /** The step at which the run ended; null for a complete run. */
  untilStep: string | null;
  /** The nodes of the drawing when the run started. */
  nodeIds: readonly string[];
  lights: Lights;
  /** Results by node id, from this page's tests or the workflow's last run. */
  results: Readonly<Record<string, KnownResult>>;
  pins: Readonly<Record<string, Pin>>;
  /** Received events by node id; each is used until a run returns a newer value. */
  samples: Readonly<Record<string, Sample>>;
}

interface TestActions {
  open: (isOpen: boolean) => void;
  /** Opens the panel and moves the focus into its input. */
  openInput: () => void;
  serveInput: () => void;
  /** Opens an earlier run in the editor; null closes it and its lights. */
  openRun: (runId: string | null) => void;
  setTexts: (texts: FormValues, fromRunId: string | null) => void;
  showErrors: (errors: FormErrors) => void;
  starting: () => void;
  refuse: (refusal: Error | null) => void;
  begin: (run: RunObject, untilStep: string | null, nodeIds: readonly string[]) => void;
  /** Applies the run's current state. */
  hear: (run: RunObject) => void;
  /** Applies an earlier run: its values become known, but its lights are not shown. */
  remember: (run: RunObject) => void;
  clear: () => void;
  pin: (nodeId: string, pin: Pin) => void;
  unpin: (nodeId: string) => void;
  /** Stores a received event as its trigger's last output. */
  keepSample: (nodeId: string, sample: Sample) => void;
  /** Updates a node's id. */
  follow: (fromId: string, toId: string) => void;
}

export type Tests = TestState & TestActions;
export type TestStore = StoreApi<Tests>;

const INITIAL: Omit<TestState, keyof Kept> = {
  isOpen: false,
  wantsInput: false,
  errors: {},
  attempts: 0,
  isStarting: false,
  refusal: null,
  run: null,
  openedRunId: null,
  untilStep: null,
  nodeIds: [],
  lights: {},
  results: {},
};

/**
 * Creates the test state of a workflow. The last input and the pins stay in this browser and are not part of the
 * document.
 */
export function createTestStore(workflowId: string): TestStore {
  const kept = readKept(workflowId);
  const store = createStore<Tests>()((set, get) => ({
    ...INITIAL,
    ...kept,
    open: (isOpen) => set({ isOpen }),
    openInput: () => set({ isOpen: true, wantsInput: true }),
    serveInput: () => set({ wantsInput: false }),
    openRun: (openedRunId) => set(openedRunId === null ? { openedRunId, run: null, lights: {} } : { openedRunId }),
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
        pins: followId(pins, fromId, toId),
        samples: followId(samples, fromId, toId),
        results: followId(results, fromId, toId),
        lights: followId(lights, fromId, toId),
      });
    },
  }));
  store.subscribe((state, before) => {
    const isKept = state.pins === before.pins && state.texts === before.texts && state.samples === before.samples;
    if (!isKept) writeKept(workflowId, state);
  });
  return store;
}

/** Of a loop's items, the last one counts. Skipped and unfinished steps have no result. */
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

/** Returns the events for which the run has no later result. */
function withoutGiven(samples: TestState["samples"], run: RunObject): TestState["samples"] {
  const isGiven = ({ step_id: id, status, truncated, completed_at: at }: StepItem) => {
    const sample = samples[id];
    return sample !== undefined && status === "completed" && !truncated && at !== null && at > sample.receivedAt;
  };
  const ids = new Set(run.steps.filter(isGiven).map((step) => step.step_id));
  if (ids.size === 0) return samples;
  return Object.fromEntries(Object.entries(samples).filter(([nodeId]) => !ids.has(nodeId)));
}
