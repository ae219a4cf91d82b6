// Messages between a function's worker thread and its host.
import type { CodeHashes } from './function-definition.ts'

/** The data that a worker gets when it is created. */
export interface WorkerStart {
  readonly codeDir: string
  readonly module: string
  readonly exportName: string
  readonly functionName: string
  readonly functionArn: string
  readonly memoryMb: number
  readonly logGroupName: string
  readonly logStreamName: string
  /** Hashes of every file in `codeDir` at the boot. */
  readonly codeHashes: CodeHashes
  /** Compiled code of an earlier worker with the same module. */
  readonly compiled?: CompiledFile
}

/** V8's compiled code of one file. */
export interface CompiledFile {
  /** SHA-256 of the file's text. V8 itself compares only its length. */
  readonly hash: string
  readonly code: Uint8Array
}

/** Host to worker: one invocation. The next one follows only after its answer. */
export interface InvocationRequest {
  readonly requestId: string
  /** JSON text. */
  readonly payload: string
  readonly timeoutMs: number
}

/** An error in Lambda's form. It becomes the cause of a failed Task. */
export interface FunctionError {
  readonly errorType: string
  readonly errorMessage: string
  readonly trace: readonly string[]
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly error: FunctionError }
  | { readonly kind: 'answered'; readonly payload: string }
  | { readonly kind: 'failed'; readonly error: FunctionError }
  /** Sent before the first answer, if the worker compiled a large file itself. */
  | { readonly kind: 'compiled'; readonly file: CompiledFile }
  /** An error that nobody caught. The worker exits after this. */
  | { readonly kind: 'crashed'; readonly error: FunctionError }
