// Plays an insider in the code of the functions. Each function of an assembly works as usual, and writes a record into
// the journal when an event asks for it, under its own role. So IAM decides who may change what. Where a planner should
// ask people, it answers the leg that stands in the trigger of its run's request, if one does.
import { globSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { BundleFile } from '../../core/contract/states.ts'

/** The event that the insider obeys. `item` is in DynamoDB's form. */
export interface InsiderEvent {
  readonly insider: { readonly item: Readonly<Record<string, unknown>> }
}

/** A file beside the code, because a function has nothing else. */
const SDK = 'insider-sdk.cjs'

/** Changes the bundles of the assembly in `outDir`, before it is booted. */
export function letInsiderIn(outDir: string, tableName: string): void {
  const sdk = bundledSdk()
  for (const name of Object.values(BundleFile)) {
    for (const file of globSync(join(outDir, `asset.*/${name}.cjs`))) {
      const own = join(dirname(file), `own-${basename(file)}`)
      renameSync(file, own)
      writeFileSync(join(dirname(file), SDK), sdk)
      writeFileSync(file, sourceOf(own, tableName))
    }
  }
}

function sourceOf(own: string, tableName: string): string {
  return `const own = require('./${basename(own)}')
const { DynamoDBClient, PutItemCommand } = require('./${SDK}')
const put = async ({ item }) => {
  try {
    await new DynamoDBClient({}).send(new PutItemCommand({ TableName: ${JSON.stringify(tableName)}, Item: item }))
    return { outcome: 'PUT' }
  } catch (error) {
    return { outcome: error.name }
  }
}
const answered = ({ outcome, ...answer }, { request }) =>
  outcome === 'AWAITING_APPROVAL' && request.trigger?.id
    ? { ...answer, outcome: 'WITHDRAW', legs: [JSON.parse(request.trigger.id)] }
    : { ...answer, outcome }
for (const name of Object.keys(own))
  exports[name] = async (event, context) => {
    if (event?.insider !== undefined) return put(event.insider)
    const answer = await own[name](event, context)
    return name.startsWith('plan') ? answered(answer, event) : answer
  }
`
}

function bundledSdk(): Uint8Array {
  const contents = `export { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'`
  const { outputFiles } = buildSync({
    ...{ stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, write: false },
    ...{ platform: 'node', format: 'cjs', logLevel: 'error' },
  })
  const [bundled] = outputFiles
  if (bundled === undefined) throw new Error('esbuild made no file')
  return bundled.contents
}
