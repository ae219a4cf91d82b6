// Describes a function as its template declares it, and hashes its code. Builds the environment of its worker: the
// variables of its template, those that Lambda adds, and the AWS endpoints. From the host comes only what the owner
// passes on.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Credentials } from '../endpoint/credentials.ts'

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

export interface EnvironmentOptions {
  readonly region: string
  readonly endpointUrl: string
  /** The worker's own key. */
  readonly credentials: Credentials
  readonly logStreamName: string
  /** Variables of the machine, such as those of its proxy. A function's own variables override them. */
  readonly machineVariables?: Readonly<Record<string, string>>
}

export function logGroupName(definition: FunctionDefinition): string {
  return `/aws/lambda/${definition.name}`
}

export function functionEnvironment(
  definition: FunctionDefinition,
  options: EnvironmentOptions,
): Record<string, string> {
  return {
    ...options.machineVariables,
    ...definition.environment,
    _HANDLER: `${definition.module}.${definition.exportName}`,
    AWS_ACCESS_KEY_ID: options.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: options.credentials.secretAccessKey,
    // Every function on AWS has a session token. The SDK signs it with the rest; here it has no effect.
    AWS_SESSION_TOKEN: 'embedded',
    AWS_DEFAULT_REGION: options.region,
    AWS_EXECUTION_ENV: `AWS_Lambda_${definition.runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: logGroupName(definition),
    AWS_LAMBDA_LOG_STREAM_NAME: options.logStreamName,
    AWS_REGION: options.region,
    LAMBDA_TASK_ROOT: definition.codeDir,
    LANG: 'en_US.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TZ: ':UTC',
    // Without these the SDK would read the host user's home directory.
    AWS_CONFIG_FILE: path.join(definition.codeDir, '.no-config'),
    AWS_SHARED_CREDENTIALS_FILE: path.join(definition.codeDir, '.no-credentials'),
    AWS_ENDPOINT_URL_DYNAMODB: options.endpointUrl,
    AWS_ENDPOINT_URL_EVENTBRIDGE: options.endpointUrl,
    AWS_ENDPOINT_URL_KMS: options.endpointUrl,
    AWS_ENDPOINT_URL_S3: options.endpointUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: options.endpointUrl,
    AWS_ENDPOINT_URL_SFN: options.endpointUrl,
    AWS_ENDPOINT_URL_SNS: options.endpointUrl,
    AWS_ENDPOINT_URL_SQS: options.endpointUrl,
    AWS_ENDPOINT_URL_STS: options.endpointUrl,
  }
}
