import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
} from "quickjs-emscripten-core";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

const PAGE_BYTES = 65_536;
/** What the module asks of its memory at the least. */
const INITIAL_PAGES = 256;
const CHUNK_BYTES = 4_096;
const GROWTH_ATTEMPTS = 3;

const wasm = new WebAssembly.Module(
  readFileSync(fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"))),
);
const FFI = await variant.importFFI();
type EmscriptenModule = ConstructorParameters<typeof FFI>[0];
type Pointers = Pick<Snapshot, "runtime" | "context">;

export interface Interpreter {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  memory: WebAssembly.Memory;
  pointers: Pointers;
  /** True once the memory could not grow as far as it had to. Nothing in it can be relied on from then. */
  isExhausted(): boolean;
}

/** The memory of an interpreter between two calls, without its empty stretches, and where its two structs lie. */
export interface Snapshot {
  runtime: ReturnType<InstanceType<typeof FFI>["QTS_NewRuntime"]>;
  context: ReturnType<InstanceType<typeof FFI>["QTS_NewContext"]>;
  chunks: { offset: number; bytes: Uint8Array }[];
}

/**
 * An interpreter in a WebAssembly instance and memory of its own. `memoryBytes` is the hard cap of everything in it:
 * QuickJS's own limit lets gigabytes through in this build, where it cannot tell the size of an allocation.
 *
 * With a snapshot the memory begins as a copy of that one, which costs under a millisecond where evaluating the guest's
 * library again costs two, and that of JSONata twenty-five.
 */
export async function openInterpreter(memoryBytes: number, snapshot: Snapshot | null): Promise<Interpreter> {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: Math.floor(memoryBytes / PAGE_BYTES) });
  const isExhausted = watchGrowth(memory);
  const pointers: Partial<Pointers> = {};
  class Ffi extends FFI {
    constructor(module: EmscriptenModule) {
      super(module);
      const { QTS_NewRuntime: newRuntime, QTS_NewContext: newContext } = this;
      this.QTS_NewRuntime = () => (pointers.runtime = snapshot?.runtime ?? newRuntime());
      this.QTS_NewContext = (...args) => (pointers.context = snapshot?.context ?? newContext(...args));
    }
  }
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(
      { ...variant, importFFI: async () => Ffi },
      { wasmMemory: memory, emscriptenModule: { instantiateWasm } },
    ),
  );
  if (snapshot) restore(memory, snapshot);
  const runtime = quickjs.newRuntime();
  if (!snapshot) runtime.setMaxStackSize(SANDBOX.stackBytes);
  const context = runtime.newContext();
  return { runtime, context, memory, pointers: pointers as Pointers, isExhausted };
}

/** Emscripten asks for more than it needs first, then for less: the third refusal in a row is the end. */
function watchGrowth(memory: WebAssembly.Memory): () => boolean {
  const grow = memory.grow.bind(memory);
  let refusals = 0;
  let isExhausted = false;
  memory.grow = (pages) => {
    try {
      const before = grow(pages);
      refusals = 0;
      return before;
    } catch (error) {
      refusals += 1;
      isExhausted ||= refusals === GROWTH_ATTEMPTS;
      throw error;
    }
  };
  return () => isExhausted;
}

function instantiateWasm(imports: WebAssembly.Imports, onSuccess: (instance: WebAssembly.Instance) => void) {
  const instance = new WebAssembly.Instance(wasm, imports);
  onSuccess(instance);
  return instance.exports;
}

/** To be taken while nothing of the interpreter runs. What is in the instance beside its memory is then as at its start. */
export function takeSnapshot({ memory, pointers }: Interpreter): Snapshot {
  const bytes = Buffer.from(memory.buffer);
  const empty = Buffer.alloc(CHUNK_BYTES);
  const chunks: Snapshot["chunks"] = [];
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) {
    const chunk = bytes.subarray(offset, offset + CHUNK_BYTES);
    if (!chunk.equals(empty)) chunks.push({ offset, bytes: new Uint8Array(chunk) });
  }
  return { ...pointers, chunks };
}

function restore(memory: WebAssembly.Memory, snapshot: Snapshot): void {
  const bytes = new Uint8Array(memory.buffer);
  for (const chunk of snapshot.chunks) bytes.set(chunk.bytes, chunk.offset);
}
