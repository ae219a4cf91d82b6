// Measures the cost of reading a long journal on one machine: requests and time of `cases list`, `cases foreign`,
// `movements list`, `runs list` and the audit's reads. The journal has 1,000, 100,000 and 1,000,000 intents of two
// years. Executions and the service are left out.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedJournal } from '@sluice/embedded-aws'
import { IntentState, JOURNAL_TABLE } from '../core/contract/records.ts'
import { createDynamoStore } from '../core/journal/dynamo-store.ts'
import { createHalts } from '../core/journal/halts.ts'
import { createIntentIndex, createListBeginning, listBeginningOf } from '../core/journal/intent-index.ts'
import { createJournal } from '../core/journal/journal.ts'
import { readAllOpenIntents, readOpenIntents } from '../core/journal/listed-records.ts'
import { createWatermarks } from '../core/journal/watermarks.ts'
import { loadTreasury } from '../core/treasury/config.ts'
import type { ReconcilePorts } from '../functions/reconcile/ports.ts'
import { reconcile } from '../functions/reconcile/reconcile.ts'
import { readNewest } from '../operations/movements/read-rows.ts'
import type { JournalTable } from '../place/aws/aws-address.ts'
import { embeddedClient } from '../place/journal/journal-client.ts'
import { findHaltsInForce } from '../place/journal/journal-records.ts'
import { walkRequests } from '../place/journal/request-index.ts'
import { createRunJournal } from '../place/journal/run-journal.ts'
import { decisionKey } from '../test/helpers/decision-key.ts'
import { testSeals } from '../test/helpers/test-seals.ts'
import { order } from '../test/unit/reconcile/audited-world.ts'
import type { Report } from './report.ts'
import { seedJournal, settledRun } from './seed-journal.ts'

const SIZES = [1_000, 100_000, 1_000_000]
const HOUR_MS = 3_600_000

export async function benchJournal(report: Report): Promise<void> {
  const sizes = process.env.SLUICE_BENCH_INTENTS?.split(',').map(Number) ?? SIZES
  for (const size of sizes) await benchSize(size, report)
}

async function benchSize(size: number, report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-journal-'))
  try {
    const nowMs = Date.now()
    const startedMs = performance.now()
    await seedJournal(folder, size, nowMs, settledRun())
    report.note(`${size} intents and ${Math.ceil(size / 5)} runs, seeded in ${seconds(startedMs)} s`)
    await timeSize(folder, nowMs, size, report)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timeSize(folder: string, nowMs: number, size: number, report: Report): Promise<void> {
  const opened = await startEmbeddedJournal(folder)
  if (opened === undefined) throw new TypeError('the journal was just made')
  const client = embeddedClient(opened)
  let requests = 0
  client.middlewareStack.add(
    (next) => (args) => {
      requests += 1
      return next(args)
    },
    { step: 'finalizeRequest' },
  )
  const table: JournalTable = { client, tableName: JOURNAL_TABLE }
  const time = async (name: string, work: () => Promise<unknown>) => {
    const before = requests
    const startedMs = performance.now()
    const summary = await work()
    const of = `${name} over ${size} intents`
    report.figure({ name: `${of}, requests`, unit: 'requests', value: requests - before })
    report.figure({ name: `${of}, time`, unit: 'ms', value: performance.now() - startedMs })
    if (summary !== undefined) report.note(`${of}: ${String(summary)}`)
  }
  try {
    // The first request opens the connection and LevelDB's files.
    await createIntentIndex(createListBeginning(client, JOURNAL_TABLE)).list('OPEN', 100)
    await timeReads(table, nowMs, time)
  } finally {
    client.destroy()
    await opened.stop()
  }
}

async function timeReads(
  table: JournalTable,
  nowMs: number,
  time: (name: string, work: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const store = createDynamoStore(table.client, table.tableName)
  const runs = createRunJournal({ ...table, decisionKey })
  const listed = { list: listBeginningOf(table), journal: createJournal(store, randomUUID) }
  const treasury = loadTreasury()
  await time('cases list', async () => {
    const { intents } = await readOpenIntents(listed)
    await findHaltsInForce(table, createHalts(store, randomUUID), treasury)
    await runs.awaiting()
    await runs.leavers()
    return `${intents.length} open`
  })
  await time('cases foreign', () => readAllOpenIntents(listed).then(({ length }) => `${length} open`))
  const reads = {
    readRecord: store.read,
    findExecution: async () => undefined,
    findHistory: async () => undefined,
    walkRequests: (...[lists, span, now]: Parameters<Parameters<typeof readNewest>[0]['walkRequests']>) =>
      walkRequests(table, lists, span, now),
  }
  const everything = { kind: undefined, outcome: undefined, sinceMs: undefined, beforeMs: undefined }
  const list = async (filter: Partial<typeof everything> | { outcome: string } | { beforeMs: number }) => {
    const { rows, goOn } = await readNewest(reads, { ...everything, ...filter }, 20, nowMs)
    return `${rows.length} rows${goOn === undefined ? '' : ', cut off'}`
  }
  await time('movements list', () => list({}))
  await time('movements list of a year ago', () => list({ beforeMs: nowMs - 365 * 24 * HOUR_MS }))
  await time('movements list --outcome REJECTED', () => list({ outcome: IntentState.Rejected }))
  await time('movements list --outcome EXHAUSTED, which none has', () => list({ outcome: IntentState.Exhausted }))
  await time('runs list', () => runs.list(51, nowMs).then(({ length }) => `${length} runs`))
  await time('runs list --policy', () => runs.listOf('core', 51, nowMs).then(({ length }) => `${length} runs`))
  await time('audit of an hour', () => audit(table, store, nowMs))
}

/** With a service that shows each order by its id, and lists nothing. */
async function audit(table: JournalTable, store: ReturnType<typeof createDynamoStore>, nowMs: number): Promise<string> {
  async function* nothing() {}
  const now = () => nowMs
  const ports: ReconcilePorts = {
    journal: createJournal(store, randomUUID),
    findUnapproved: async () => undefined,
    findUnheard: async () => undefined,
    findUnheardResumes: async () => [],
    findPaidTwice: async () => undefined,
    index: createIntentIndex(createListBeginning(table.client, table.tableName)),
    watermarks: createWatermarks(store, randomUUID, testSeals()),
    findVerifiedAt: async () => undefined,
    service: {
      clock: { measure: async () => {}, ensure: async () => {}, nowMs: now, reachedMs: now, atMostMs: now },
      walkOrders: nothing,
      walkFills: nothing,
      walkWithdrawals: nothing,
      walkLedger: nothing,
      findFills: async () => [],
      readLedgerPage: async () => ({ entries: [], totalEntries: 0 }),
      findOrder: async (id) => ({ ...order, id, createdAt: new Date(nowMs).toISOString() }),
      findWithdrawal: async () => undefined,
    },
    hasTime: () => true,
    report: () => undefined,
    timing: loadTreasury().timing,
    isShared: false,
  }
  const { intents } = await reconcile({ since: new Date(nowMs - 2 * HOUR_MS).toISOString() }, ports)
  return `${intents} intents`
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(2)
}
