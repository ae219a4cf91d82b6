// Measures what it costs on one machine to lose no acknowledged write in a power cut. Counts writes of the journal and
// conversions a second, and compares them with runs without a sync. The result depends on the disk, so one sync of the
// disk is timed too.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Disk, DURABLE, type DynaliteDatabase, loadParts, startEmbeddedAws, UNSYNCED } from '@sluice/embedded-aws'
import { startSandbox } from '@sluice/service-sandbox'
import { StateMachine } from '../core/contract/states.ts'
import { DEFAULT_TREASURY_FILE, loadTreasury } from '../core/treasury/config.ts'
import { synthesize } from '../infra/synthesize.ts'
import { declared } from '../test/helpers/declared-journal.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

const { openStore } = await loadParts()

const SYNCS = 200
const WRITERS = [1, 10, 100]
const WRITES_A_ROUND = 400
/** A round is short, and a disk's times vary widely. */
const WRITE_PAIRS = 25
const CONVERSIONS_A_ROUND = 5
const CONVERSION = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '5' }
const TABLE = {
  TableName: 'journal',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
}

export async function benchDurability(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  try {
    report.note(`one sync of 500 bytes under ${tmpdir()}: ${syncMs(folder).toFixed(2)} ms (median of ${SYNCS})`)
    await benchJournal(report, folder)
    await benchConversions(report, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function syncMs(folder: string): number {
  const file = openSync(path.join(folder, 'synced'), 'w')
  const times = Array.from({ length: SYNCS }, () => {
    const startedMs = performance.now()
    writeSync(file, 'x'.repeat(500))
    fdatasyncSync(file)
    return performance.now() - startedMs
  })
  closeSync(file)
  return times.sort((left, right) => left - right)[SYNCS / 2] ?? Number.NaN
}

async function benchJournal(report: Report, folder: string): Promise<void> {
  const durable = await openJournal(path.join(folder, 'durable'), DURABLE)
  const unsynced = await openJournal(path.join(folder, 'unsynced'), UNSYNCED)
  for (const writers of WRITERS) {
    const { leftMs, ratios, rightMs } = await timePaired(write(durable, writers), write(unsynced, writers), WRITE_PAIRS)
    report.figure({
      name: `${WRITES_A_ROUND} writes of the journal, ${writers} at once`,
      unit: 'ms',
      value: leftMs,
      baseline: { name: 'without syncs', value: rightMs },
      ratio: ratios,
    })
  }
  await durable.close()
  await unsynced.close()
}

async function openJournal(directory: string, disk: Disk): Promise<DynaliteDatabase> {
  const journal = await openStore(directory, { account: '123456789012', region: 'us-east-1' }, disk)
  await journal.perform('CreateTable', TABLE)
  await journal.finishCreation(TABLE.TableName)
  return journal
}

let items = 0

/** Puts of new items of about the size of an intent, with this many under way at once. */
function write(journal: DynaliteDatabase, writers: number): () => Promise<void> {
  const put = () =>
    journal.perform('PutItem', {
      TableName: TABLE.TableName,
      Item: { pk: { S: `I#${++items}` }, params: { S: 'x'.repeat(800) } },
      ConditionExpression: 'attribute_not_exists(pk)',
    })
  return async () => {
    let left = WRITES_A_ROUND
    const writer = async () => {
      while (left-- > 0) await put()
    }
    await Promise.all(Array.from({ length: writers }, writer))
  }
}

/** With the built-in sandbox in the same process, as on the desk. Its records are kept too, or only in memory. */
async function benchConversions(report: Report, folder: string): Promise<void> {
  const assemblyDir = path.join(folder, 'cdk.out')
  synthesize({ configFile: DEFAULT_TREASURY_FILE, outDir: assemblyDir })
  const durable = await openDesk(assemblyDir, path.join(folder, 'desk'), true)
  try {
    const unsynced = await openDesk(assemblyDir, path.join(folder, 'fleeting'), false)
    try {
      const { leftMs, ratios, rightMs } = await timePaired(durable.convert, unsynced.convert)
      report.figure({
        name: `${CONVERSIONS_A_ROUND} conversions, one after another`,
        unit: 'ms',
        value: leftMs,
        baseline: { name: 'without syncs', value: rightMs },
        ratio: ratios,
      })
    } finally {
      await unsynced.stop()
    }
  } finally {
    await durable.stop()
  }
}

async function openDesk(assemblyDir: string, directory: string, isDurable: boolean) {
  const stateFile = isDurable ? { stateFile: `${directory}.log` } : {}
  const sandbox = await startSandbox(stateFile)
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  const starting = startEmbeddedAws({
    assemblyDir,
    stateDir: directory,
    isDurable,
    parameters: { ServiceUrl: sandbox.baseUrl },
    secrets: { [loadTreasury().service.keySecret]: JSON.stringify({ secret, privateKeyPem, alg }) },
  })
  const aws = await declared(starting)
  let runs = 0
  return {
    async convert() {
      for (let run = 0; run < CONVERSIONS_A_ROUND; run += 1) {
        const request = { stateMachine: StateMachine.Convert, name: `run-${++runs}`, input: JSON.stringify(CONVERSION) }
        const { executionArn } = await aws.startExecution(request)
        const { output, status } = await aws.untilFinished(executionArn)
        if (JSON.parse(output ?? '{}').outcome !== 'FILLED') throw new Error(`a conversion ended ${status}: ${output}`)
      }
    },
    async stop() {
      await aws.stop()
      await sandbox.stop()
    },
  }
}
