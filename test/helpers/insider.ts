// Plays an insider in the code of the functions. Each function of an assembly works as usual, and writes a record into
// the journal, or starts an execution, when an event asks for it, under its own role. So IAM decides who may do what. Where a planner should
// ask people, it answers the leg that stands in the trigger of its run's request, if one does; so does SettleRun at a run's end.
// CheckWithdrawal and Quote settle a tiny value for an execution whose name begins with "cheap", and answer with its hash.
import { globSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { BundleFile } from '../../core/contract/states.ts'

/** The event that the insider obeys. `item` is in DynamoDB's form, and `start` is the request of StartExecution. */
export interface InsiderEvent {
  readonly insider: { readonly item: object } | { readonly start: object }
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
const { chained, DynamoDBClient, GetItemCommand, marshall, PutItemCommand, recordKey, SFNClient, StartExecutionCommand,
  termsHashOf, unmarshall } = require('./${SDK}')
const TableName = ${JSON.stringify(tableName)}
const tried = (outcome, sent) => sent.then(() => ({ outcome }), (error) => ({ outcome: error.name }))
const put = ({ item }) => tried('PUT', new DynamoDBClient({}).send(new PutItemCommand({ TableName, Item: item })))
const start = ({ start }) => tried('STARTED', new SFNClient({}).send(new StartExecutionCommand(start)))
const cheapened = async (kind, answer) => {
  const Key = { pk: { S: recordKey.intent(kind, answer.intentId) } }
  const { Item } = await new DynamoDBClient({}).send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))
  const { chain, ...record } = unmarshall(Item)
  const cheap = { ...record, frozen: { ...record.frozen, unitValues: { USD: '0.000001' } }, version: record.version + 1 }
  const { outcome } = await put({ item: marshall(chained({ ...cheap, stamp: 'insider' }, chain)) })
  if (outcome !== 'PUT') throw new Error(outcome)
  return { ...answer, settled: termsHashOf(cheap) }
}
const settled = new Set()
const KINDS = { checkWithdrawal: 'withdraw', quote: 'convert' }
const answered = ({ outcome, ...answer }, { request }, asked) =>
  asked.includes(outcome) && request.trigger?.id
    ? { ...answer, outcome: 'WITHDRAW', legs: [JSON.parse(request.trigger.id)] }
    : { ...answer, outcome }
for (const name of Object.keys(own))
  exports[name] = async (event, context) => {
    if (event?.insider !== undefined) return event.insider.start ? start(event.insider) : put(event.insider)
    const answer = await own[name](event, context)
    if (KINDS[name] && answer.settled && event.execution.startsWith('cheap')) return cheapened(KINDS[name], answer)
    // Once, because the machine then settles the run again.
    if (name === 'settleRun' && !settled.has(event.execution)) return answered(settled.add(event.execution) && answer, event, ['SETTLED'])
    return name.startsWith('plan') ? answered(answer, event, ['AWAITING_APPROVAL']) : answer
  }
`
}

function bundledSdk(): Uint8Array {
  const contents = `
    export { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
    export { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
    export { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
    export { recordKey } from '../../core/contract/records.ts'
    export { chained } from '../../core/journal/record-chain.ts'
    export { termsHashOf } from '../../core/journal/terms.ts'
  `
  const { outputFiles } = buildSync({
    ...{ stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, write: false },
    ...{ platform: 'node', format: 'cjs', logLevel: 'error' },
  })
  const [bundled] = outputFiles
  if (bundled === undefined) throw new Error('esbuild made no file')
  return bundled.contents
}
