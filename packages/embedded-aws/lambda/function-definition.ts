// A function as its template declares it.

export interface FunctionDefinition {
  readonly name: string
  readonly arn: string
  readonly roleArn: string
  /** Such as `nodejs24.x`. */
  readonly runtime: string
  /** Absolute; the asset's unzipped folder. Only read. */
  readonly codeDir: string
  /** The handler's file, without its ending, and its export. */
  readonly module: string
  readonly exportName: string
  readonly timeoutSeconds: number
  readonly memoryMb: number
  /** Reserved concurrency: a bound on workers. */
  readonly concurrency: number | undefined
  readonly environment: Readonly<Record<string, string>>
}
