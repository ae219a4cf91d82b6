// Describes a function as its template declares it.

/** The subnets and security groups of a function. They are recorded, and have no effect on its connections. */
export interface FunctionVpc {
  readonly subnetIds: readonly string[]
  readonly securityGroupIds: readonly string[]
}

export interface FunctionDefinition {
  readonly name: string
  readonly arn: string
  readonly roleArn: string
  /** A runtime such as `nodejs24.x`. */
  readonly runtime: string
  /** Absolute path of the asset's unzipped folder, which is only read. */
  readonly codeDir: string
  /** The handler's file, without its extension, and its export. */
  readonly module: string
  readonly exportName: string
  readonly timeoutSeconds: number
  readonly memoryMb: number
  /** Reserved concurrency, the maximum number of workers. */
  readonly concurrency: number | undefined
  readonly environment: Readonly<Record<string, string>>
  readonly vpc?: FunctionVpc | undefined
}
