// An insider in the code of the functions: each function of an assembly does what it does, and puts a record into the journal
// where an event says so, under its own role. So IAM says who may change what.
import { globSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BundleFile } from '../../core/contract/states.ts'

/** The event that the insider obeys. `item` is as DynamoDB has it. */
export interface InsiderEvent {
  readonly insider: { readonly item: Readonly<Record<string, unknown>> }
}

const SDK = fileURLToPath(import.meta.resolve('@aws-sdk/client-dynamodb'))

/** Changes the bundles of the assembly in `outDir`, before it is booted. */
export function letInsiderIn(outDir: string, tableName: string): void {
  for (const name of Object.values(BundleFile)) {
    for (const file of globSync(join(outDir, `asset.*/${name}.cjs`))) {
      const own = join(dirname(file), `own-${basename(file)}`)
      renameSync(file, own)
      writeFileSync(file, sourceOf(own, tableName))
    }
  }
}

function sourceOf(own: string, tableName: string): string {
  return `const own = require('./${basename(own)}')
const { DynamoDBClient, PutItemCommand } = require(${JSON.stringify(SDK)})
const put = async ({ item }) => {
  try {
    await new DynamoDBClient({}).send(new PutItemCommand({ TableName: ${JSON.stringify(tableName)}, Item: item }))
    return { outcome: 'PUT' }
  } catch (error) {
    return { outcome: error.name }
  }
}
for (const name of Object.keys(own))
  exports[name] = (event, context) => (event?.insider === undefined ? own[name](event, context) : put(event.insider))
`
}
