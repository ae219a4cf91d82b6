// Messages between a function's worker thread and its host.
import type { CodeHashes } from './code-hashes.ts'

/** Handed to the worker when it is made. */
export interface WorkerStart {
  readonly codeDir: string
  readonly module: string
  readonly exportName: string
  readonly functionName: string
  readonly functionArn: string
  readonly memoryMb: number
  readonly logGroupName: string
  readonly logStreamName: string
  /** Of every file in `codeDir` at the boot. */
  readonly codeHashes: CodeHashes
  /** Of an earlier worker that loaded the same module. */
  readonly compiled?: CompiledFile
}

/** What V8 keeps of the compilation of one file. */
export interface CompiledFile {
  /** SHA-256 of the file's text: V8 itself compares the length alone. */
  readonly hash: string
  readonly code: Uint8Array
}

/** Host to worker: one invocation; the next comes only after its answer. */
export interface InvocationRequest {
  readonly requestId: string
  /** JSON text. */
  readonly payload: string
  readonly timeoutMs: number
}

/** As Lambda reports an error; becomes the cause of a failed Task. */
export interface FunctionError {
  readonly errorType: string
  readonly errorMessage: string
  readonly trace: readonly string[]
}

/** Worker to host. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly error: FunctionError }
  | { readonly kind: 'answered'; readonly payload: string }
  | { readonly kind: 'failed'; readonly error: FunctionError }
  /** Before its first answer, where it had to compile a large file itself. */
  | { readonly kind: 'compiled'; readonly file: CompiledFile }
  /** Something that nobody caught; the worker exits after this. */
  | { readonly kind: 'crashed'; readonly error: FunctionError }
