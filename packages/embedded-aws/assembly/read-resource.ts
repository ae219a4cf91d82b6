// Reads the resources that run here from their resolved properties: which properties have an effect, and which are
// known to have none on one machine. The caller refuses every other property.
// Source: CloudFormation template reference.
import { existsSync } from 'node:fs'
import type { TableDefinition } from '../dynamodb/dynamodb.ts'
import { type Fields, isObject } from '../fields.ts'
import type { FunctionDefinition } from '../lambda/function-definition.ts'
import type { StateMachine } from '../states/executions.ts'
import type { SecretDefinition } from './deployment.ts'
import type { Placed } from './identity.ts'
import { readVpcConfig } from './read-network.ts'

/** Lambda's default time-out and memory. */
const DEFAULT_TIMEOUT_SECONDS = 3
const DEFAULT_MEMORY_MB = 128
const KMS_KEY_ARN = /^arn:[a-z-]+:kms:[a-z0-9-]+:[0-9]{12}:key\/[A-Za-z0-9-]+$/

/** The properties of a table that the engine of tables takes. */
const TABLE_FIELDS = [
  'AttributeDefinitions',
  'BillingMode',
  'GlobalSecondaryIndexes',
  'KeySchema',
  'LocalSecondaryIndexes',
  'ProvisionedThroughput',
]

export function readTable(properties: Fields, { name, arn }: Placed): TableDefinition {
  properties.ignore([
    'TableName',
    'ContributorInsightsSpecification',
    'DeletionProtectionEnabled',
    'PointInTimeRecoverySpecification',
    'TableClass',
    'Tags',
    // AWS deletes expired items within days, not at their time. Never deleting them is compatible with that.
    'TimeToLiveSpecification',
    'WarmThroughput',
    'OnDemandThroughput',
  ])
  const createTable = Object.fromEntries(
    TABLE_FIELDS.map((field) => [field, properties.raw(field)] as const).filter(([, value]) => value !== undefined),
  )
  const kmsKeyArn = kmsKeyOf(properties)
  return { name, arn, createTable, ...(kmsKeyArn !== undefined && { kmsKeyArn }) }
}

/**
 * Returns the ARN of the table's KMS key. Nothing is encrypted here, but readers and writers of items need a permission
 * for the key.
 */
function kmsKeyOf(properties: Fields): string | undefined {
  return properties.findWithin('SSESpecification', (encryption) => {
    const kmsKeyArn = encryption.ignore(['SSEEnabled', 'SSEType']).findText('KMSMasterKeyId')
    if (kmsKeyArn === undefined || KMS_KEY_ARN.test(kmsKeyArn)) return kmsKeyArn
    throw encryption.refuse('KMSMasterKeyId', 'must be the ARN of a KMS key')
  })
}

export function readSecret(properties: Fields, { name, arn }: Placed): SecretDefinition {
  properties.ignore(['Name', 'Description', 'KmsKeyId', 'Tags'])
  const text = properties.findText('SecretString')
  if (text !== undefined) return { name, arn, initial: { text } }
  if (!properties.has('GenerateSecretString')) return { name, arn, initial: undefined }
  const generate = properties.object('GenerateSecretString')
  const length = generate.findWhole('PasswordLength', 1, 4096) ?? 32
  const key = generate.findText('GenerateStringKey')
  const template: unknown = JSON.parse(generate.findText('SecretStringTemplate') ?? 'null')
  // Letters and digits satisfy every rule that excludes characters. Rules that require characters are refused.
  generate.ignore(['ExcludePunctuation', 'IncludeSpace']).close()
  const into = key !== undefined && isObject(template) ? { template, key } : undefined
  return { name, arn, initial: { generate: { length, into } } }
}

export function readFunction(
  properties: Fields,
  { name, arn }: Placed,
  assetDirs: ReadonlyMap<string, string>,
): FunctionDefinition {
  properties.ignore([
    'FunctionName',
    'Architectures',
    'Description',
    'EphemeralStorage',
    'LoggingConfig',
    'RecursiveLoop',
    'RuntimeManagementConfig',
    'Tags',
    'TracingConfig',
  ])
  const runtime = properties.text('Runtime')
  if (!runtime.startsWith('nodejs')) throw properties.refuse('Runtime', `${runtime} is not supported`)
  const [, module, exportName] = /^([\w./-]+)\.(\w+)$/.exec(properties.text('Handler')) ?? []
  if (module === undefined || exportName === undefined) throw properties.refuse('Handler', 'must be <file>.<export>')
  return {
    name,
    arn,
    runtime,
    roleArn: properties.text('Role'),
    codeDir: codeDirOf(properties, assetDirs),
    module,
    exportName,
    timeoutSeconds: properties.findWhole('Timeout', 1, 900) ?? DEFAULT_TIMEOUT_SECONDS,
    memoryMb: properties.findWhole('MemorySize', 128, 10_240) ?? DEFAULT_MEMORY_MB,
    concurrency: properties.findWhole('ReservedConcurrentExecutions', 1, 1000),
    environment: environmentOf(properties),
    vpc: readVpcConfig(properties),
  }
}

function codeDirOf(properties: Fields, assetDirs: ReadonlyMap<string, string>): string {
  return properties.within('Code', (code) => {
    const key = code.ignore(['S3Bucket']).text('S3Key')
    const directory = assetDirs.get(key)
    if (directory !== undefined && existsSync(directory)) return directory
    throw code.refuse('S3Key', `the assembly has no folder for the asset ${key}`)
  })
}

function environmentOf(properties: Fields): Readonly<Record<string, string>> {
  const read = (variables: Fields) => Object.fromEntries(variables.names().map((name) => [name, variables.text(name)]))
  return properties.findWithin('Environment', (environment) => environment.findWithin('Variables', read)) ?? {}
}

export function readStateMachine(properties: Fields, { name, arn }: Placed): StateMachine {
  properties.ignore([
    'StateMachineName',
    'EncryptionConfiguration',
    'LoggingConfiguration',
    'Tags',
    'TracingConfiguration',
  ])
  const type = properties.findText('StateMachineType') ?? 'STANDARD'
  if (type !== 'STANDARD') throw properties.refuse('StateMachineType', `${type} is not supported`)
  const roleArn = properties.text('RoleArn')
  const text = properties.text('DefinitionString')
  if (!properties.has('DefinitionSubstitutions')) return { name, arn, roleArn, definitionText: text }
  const values = properties.object('DefinitionSubstitutions')
  const definitionText = values
    .names()
    .reduce((filled, key) => filled.replaceAll(`\${${key}}`, () => values.text(key)), text)
  return { name, arn, roleArn, definitionText }
}
