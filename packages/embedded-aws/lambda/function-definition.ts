// Describes a function as its template declares it, and hashes its code.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

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

/** SHA-256 in base64, by the file's path below the folder. */
export type CodeHashes = Readonly<Record<string, string>>

export function codeHashes(codeDir: string): CodeHashes {
  const files = readdirSync(codeDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ name, parentPath }) => {
      const file = path.join(parentPath, name)
      return [path.relative(codeDir, file), createHash('sha256').update(readFileSync(file)).digest('base64')]
    }),
  )
}
