// Messages between a function's worker thread and its host.

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
  /** Something that nobody caught; the worker exits after this. */
  | { readonly kind: 'crashed'; readonly error: FunctionError }
