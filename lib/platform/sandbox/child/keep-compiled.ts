import { SOURCE_NAME } from "#lib/platform/sandbox/child/explain-error";
import {
  type Chunk,
  findChanges,
  type Interpreter,
  type Snapshot,
  writeChunks,
} from "#lib/platform/sandbox/child/open-interpreter";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

export interface CompiledModules {
  /**
   * Makes the module known to an interpreter that has run nothing since it was opened or reset. No code of the module
   * runs.
   * @returns false if the module must be compiled as it is evaluated, because it is short or does not compile
   */
  load(interpreter: Interpreter, code: string): boolean;
}

/**
 * Keeps what compiling a module changes in the memory of a new interpreter, so that the next call copies it instead of
 * compiling the module again. Compiling runs no user code, so the changes contain nothing but the module's own text,
 * compiled, and they are used only for the same text.
 */
export function keepCompiled(snapshot: Snapshot): CompiledModules {
  /** By code, the one used last at the end. */
  const kept = new Map<string, Chunk[]>();
  let keptBytes = 0;

  function keep(code: string, changes: Chunk[]): void {
    const bytes = bytesOf(changes);
    if (bytes > SANDBOX.compiledBytes) return;
    kept.set(code, changes);
    keptBytes += bytes;
    for (const [oldest, chunks] of kept) {
      if (keptBytes <= SANDBOX.compiledBytes) break;
      kept.delete(oldest);
      keptBytes -= bytesOf(chunks);
    }
  }

  return {
    load: (interpreter, code) => {
      if (code.length < SANDBOX.compiledCharactersMin) return false;
      const known = kept.get(code);
      if (known) {
        kept.delete(code);
        kept.set(code, known);
        writeChunks(interpreter, known);
        return true;
      }
      const options = { type: "module", strict: true, compileOnly: true } as const;
      if (interpreter.context.evalCode(code, SOURCE_NAME, options).error) return false;
      const changes = findChanges(interpreter, snapshot);
      if (changes) keep(code, changes);
      return true;
    },
  };
}

const bytesOf = (chunks: readonly Chunk[]) => chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
