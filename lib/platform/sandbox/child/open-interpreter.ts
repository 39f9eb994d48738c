import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

const PAGE_BYTES = 65_536;
/** The minimum memory that the module asks for. */
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
  quickjs: QuickJSWASMModule;
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  memory: WebAssembly.Memory;
  pointers: Pointers;
  /** True once the memory could not grow as needed. Nothing in it is reliable after that. */
  isExhausted(): boolean;
}

/** A part of an interpreter's memory. */
export interface Chunk {
  offset: number;
  bytes: Uint8Array;
}

/** The memory of an interpreter between two calls, without its empty parts, and where its two structs are. */
export interface Snapshot {
  runtime: ReturnType<InstanceType<typeof FFI>["QTS_NewRuntime"]>;
  context: ReturnType<InstanceType<typeof FFI>["QTS_NewContext"]>;
  chunks: Chunk[];
}

/**
 * Opens an interpreter in a separate WebAssembly instance and memory. `memoryBytes` is the hard cap of everything in
 * it: QuickJS's own limit lets gigabytes through in this build, because it cannot see the size of an allocation. With a
 * snapshot the memory starts as a copy, which takes less than a millisecond; evaluating the guest's library takes two,
 * and JSONata's twenty-five.
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
  if (snapshot) writeChunks({ memory }, snapshot.chunks);
  const runtime = quickjs.newRuntime();
  if (!snapshot) runtime.setMaxStackSize(SANDBOX.stackBytes);
  const context = runtime.newContext();
  return { quickjs, runtime, context, memory, pointers: pointers as Pointers, isExhausted };
}

/**
 * Returns the interpreter to the state in which it was opened, for a call of any workspace: all of its memory is erased
 * and becomes the snapshot again, so nothing of the earlier call is left in it. Outside its memory an interpreter has one
 * variable, its stack pointer, which is back at its start whenever no call is running. This takes 0.3 ms of CPU; opening
 * one takes 2.8 ms, half of it in the collector, which counts every memory as 16 MiB.
 * @returns null if the memory has grown, because it cannot shrink again
 */
export function resetInterpreter(interpreter: Interpreter, snapshot: Snapshot): Interpreter | null {
  const { quickjs, memory } = interpreter;
  if (memory.buffer.byteLength !== INITIAL_PAGES * PAGE_BYTES) return null;
  new Uint8Array(memory.buffer).fill(0);
  writeChunks(interpreter, snapshot.chunks);
  const runtime = quickjs.newRuntime();
  return { ...interpreter, runtime, context: runtime.newContext() };
}

/** Emscripten first asks for more than it needs, then for less: the third refusal in a row is the end. */
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

/** Take it while nothing in the interpreter runs: only then is the rest of the instance in its initial state. */
export function takeSnapshot({ memory, pointers }: Interpreter): Snapshot {
  return { ...pointers, chunks: readChanges(memory, []) };
}

/** Returns what has changed in the memory since the interpreter had that of the snapshot; null if it has grown. */
export function findChanges({ memory }: Interpreter, snapshot: Snapshot): Chunk[] | null {
  return memory.buffer.byteLength === INITIAL_PAGES * PAGE_BYTES ? readChanges(memory, snapshot.chunks) : null;
}

function readChanges(memory: WebAssembly.Memory, before: readonly Chunk[]): Chunk[] {
  const bytes = Buffer.from(memory.buffer);
  const empty = new Uint8Array(CHUNK_BYTES);
  const earlier = new Map(before.map((chunk) => [chunk.offset, chunk.bytes]));
  const chunks: Chunk[] = [];
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) {
    const chunk = bytes.subarray(offset, offset + CHUNK_BYTES);
    if (!chunk.equals(earlier.get(offset) ?? empty)) chunks.push({ offset, bytes: new Uint8Array(chunk) });
  }
  return chunks;
}

export function writeChunks({ memory }: Pick<Interpreter, "memory">, chunks: readonly Chunk[]): void {
  const bytes = new Uint8Array(memory.buffer);
  for (const chunk of chunks) bytes.set(chunk.bytes, chunk.offset);
}
