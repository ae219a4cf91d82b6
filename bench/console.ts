// Measures the console of a desk with 1,000 past runs and 10 under way. Its figures are the time of a page, the delay
// from an event of the journal to its page, and the console's memory. The memory is measured over an hour of runs that
// start and end. The desk is a serve in a separate process, and events are written by its own door. A moved clock makes
// the hour pass.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { marshall } from '@aws-sdk/util-dynamodb'
import { createOutput } from '../cli/terminal/output.ts'
import { type OpenConsole, openConsole } from '../console/open-console.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { recordKey } from '../core/contract/records.ts'
import { chained } from '../core/journal/record-chain.ts'
import { fieldsOfRun, type RunRecord } from '../core/runs/record/run-record.ts'
import type { JournalTable } from '../place/aws/aws-address.ts'
import { findDesk } from '../place/desk/desk-file.ts'
import { journalTable } from '../place/journal/journal-client.ts'
import { builtInFolder } from '../place/state/state-layout.ts'
import { startSluice } from '../test/integration/cli/command-line.ts'
import { recorded } from '../test/unit/cli/terminal/recorded-stream.ts'
import type { Report } from './report.ts'
import { seedJournal, settledRun } from './seed-journal.ts'

const RUNS = 1_000
const LIVE = 10
const PAGE_LOADS = 15
const EVENTS = 40
const MOST_UNSHOWN_MS = 10_000
/** A page that was just read is shown again unchanged. */
const STALE_MS = 400
/** Time that a person needs to click on the link. */
const TO_CLICK_MS = 1_500
const HOUR_MS = 3_600_000
const RUN_EVERY_MS = 5_000

export async function benchConsole(report: Report): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'sluice-bench-console-'))
  const state = path.join(dir, 'state')
  const config = path.join(dir, 'treasury.json')
  const run = settledRun()
  const policies = { [run.policy]: run.asPlanned }
  writeFileSync(config, JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' }, policies }))
  const { awsDir } = builtInFolder(state)
  await seedJournal(awsDir, RUNS * 5, Date.now(), run)
  const serving = startSluice(['serve', '--jsonl', '--state', state, '--config', config])
  let table: JournalTable | undefined
  try {
    await serving.firstLine
    const desk = findDesk(state)
    if (desk === undefined) throw new TypeError('a serve publishes its desk')
    table = journalTable(desk)
    const live = Array.from({ length: LIVE }, (_, nth) => liveRun(run, `live-${nth}`, Date.now()))
    for (const each of live) await put(table, each)
    await timePages({ state, config }, live, report)
    await timeUpdates({ state, config }, table, live, report)
    await watchMemory({ state, config }, table, run, report)
  } finally {
    table?.client.destroy()
    serving.child.kill('SIGINT')
    await serving.ended
    rmSync(dir, { recursive: true, force: true })
  }
}

function liveRun(run: RunRecord, runId: string, atMs: number): RunRecord {
  const { endedAt: _endedAt, tiesOut: _tiesOut, why: _why, ...begun } = run
  return { ...begun, runId, outcome: 'RUNNING', startedAt: new Date(atMs).toISOString() }
}

let versions = 10

async function put({ client, tableName }: JournalTable, run: RunRecord): Promise<void> {
  const pk = recordKey.run(run.runId)
  const record = chained({ ...fieldsOfRun(run), pk, format: 1, version: versions++, stamp: 'bench' }, undefined)
  await client.putItem({ TableName: tableName, Item: marshall(record, { removeUndefinedValues: true }) })
}

interface Place {
  readonly state: string
  readonly config: string
}

interface Opened {
  readonly get: (path: string, signal?: AbortSignal) => Promise<Response>
  readonly stop: OpenConsole['stop']
}

async function open(flags: Place, clock: Clock): Promise<Opened> {
  const [stdout, stderr] = [recorded(), recorded()]
  const stopping = new AbortController()
  const context = {
    ...{ argv: [], variables: { USER: 'bench' }, stdin: Readable.from([]), stdout, clock },
    output: createOutput({ stdout, stderr, json: false, term: undefined }),
    catchInterruption: () => stopping.signal,
  }
  const opened = await openConsole({ flags, context, port: 0, signal: stopping.signal })
  const link = new URL(opened.newLink())
  const entered = await fetch(link)
  const [cookie = '', path = ''] = (entered.headers.get('set-cookie') ?? '').split(/; Path=|;/)
  const get = (where: string, signal?: AbortSignal) =>
    fetch(new URL(`${path}${where}`, link), { headers: { cookie }, ...(signal && { signal }) })
  return { get, stop: opened.stop }
}

async function timePages(place: Place, [live]: readonly RunRecord[], report: Report): Promise<void> {
  const { get, stop } = await open(place, systemClock)
  try {
    await pause(TO_CLICK_MS)
    const fromMs = performance.now()
    await textOf(get('/'))
    report.figure({ name: 'first page of a console that was just opened', unit: 'ms', value: since(fromMs) })
    const { policy = '', runId = '' } = live ?? {}
    const pages = ['/', '/attention', '/movements', '/audit', '/halt', `/policies/${policy}`, `/runs/${runId}`]
    for (const page of [...pages, '/runs/run-7', '/intents/intent-7']) {
      const took: number[] = []
      for (let load = 0; load < PAGE_LOADS; load += 1) {
        await pause(STALE_MS)
        const fromMs = performance.now()
        await textOf(get(page))
        took.push(since(fromMs))
      }
      reportTimes(report, page, took)
    }
  } finally {
    await stop()
  }
}

async function textOf(answer: Promise<Response>): Promise<string> {
  const response = await answer
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 2_000)}`)
  return text
}

/** Times an event from its write to the journal until a page shows it, after a live event made the page load. */
async function timeUpdates(
  place: Place,
  table: JournalTable,
  live: readonly RunRecord[],
  report: Report,
): Promise<void> {
  const { get, stop } = await open(place, systemClock)
  const ending = new AbortController()
  try {
    const changes = await followed(get, 'overview', ending.signal)
    const shown: number[] = []
    for (let event = 0; event < EVENTS; event += 1) {
      // The pause varies, so that events are not in step with the poller.
      await pause(900 + ((event * 137) % 700))
      const why = `event ${event} of the benchmark`
      const [run] = live
      if (run === undefined) return
      await put(table, { ...run, runId: `live-${event % LIVE}`, why, outcome: event % 2 === 0 ? 'SETTLED' : 'RUNNING' })
      const fromMs = performance.now()
      // Reads the page again at each live event, like a browser. A live event may announce an earlier change.
      do {
        if (since(fromMs) > MOST_UNSHOWN_MS) throw new Error(`${why} is not on the overview after ${since(fromMs)} ms`)
        await changes.next()
      } while (!(await textOf(get('/'))).includes(why))
      shown.push(since(fromMs))
    }
    reportTimes(report, 'shown on the overview after an event', shown)
  } finally {
    ending.abort()
    await stop()
  }
}

/** The events of a topic, once it is live. */
async function followed(get: Opened['get'], topic: string, signal: AbortSignal): Promise<AsyncGenerator<string>> {
  const { body } = await get(`/live?topic=${topic}`, signal)
  if (body === null) throw new TypeError('a stream has a body')
  const events = eventsOf(body.pipeThrough(new TextDecoderStream()))
  await events.next()
  // The first poll reports the present state, and so the later differences.
  await pause(1_000)
  return events
}

async function* eventsOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    for (const [, name = ''] of chunk.matchAll(/^event: (.*)$/gm)) yield name
  }
}

/** Every five seconds a run starts and the oldest ends, all pages are loaded, and three are followed. */
async function watchMemory(place: Place, table: JournalTable, run: RunRecord, report: Report): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const { clock, move } = movedClock()
  const { get, stop } = await open(place, clock)
  const ending = new AbortController()
  const heaps: string[] = []
  try {
    const streams = ['overview', 'attention', 'run:live-0'].map((topic) => get(`/live?topic=${topic}`, ending.signal))
    for (const stream of streams) void drain(stream)
    for (let nth = 0; nth * RUN_EVERY_MS <= HOUR_MS; nth += 1) {
      const begun = liveRun(run, `hour-${nth}`, clock.nowMs())
      await put(table, begun)
      if (nth >= LIVE) await put(table, { ...run, runId: `hour-${nth - LIVE}`, startedAt: begun.startedAt })
      await move(RUN_EVERY_MS)
      for (const page of ['/', '/movements', `/runs/hour-${nth}`]) await textOf(get(page))
      if (nth % 120 !== 0) continue
      collect()
      heaps.push((process.memoryUsage().heapUsed / 1e6).toFixed(1))
    }
    report.note(`heap after 0, 10, ... 60 minutes of ${HOUR_MS / RUN_EVERY_MS} runs: ${heaps.join(', ')} MB`)
  } finally {
    ending.abort()
    await stop()
  }
}

async function drain(stream: Promise<Response>): Promise<void> {
  const { body } = await stream
  // The stream ends with the console.
  await body?.pipeTo(new WritableStream()).catch(() => undefined)
}

/** Moving the clock wakes every sleeper. */
function movedClock() {
  let nowMs = Date.now()
  let sleepers: (() => void)[] = []
  let onSleep = () => {}
  const clock: Clock = {
    nowMs: () => nowMs,
    sleep: () =>
      new Promise((resolve) => {
        sleepers.push(resolve)
        onSleep()
      }),
  }
  /** Resolves when the poller has completed a round, and sleeps again. */
  async function move(byMs: number): Promise<void> {
    const slept = new Promise<void>((resolve) => {
      onSleep = resolve
    })
    nowMs += byMs
    const woken = sleepers
    sleepers = []
    for (const wake of woken) wake()
    await slept
  }
  return { clock, move }
}

function since(fromMs: number): number {
  return Math.round(performance.now() - fromMs)
}

function reportTimes(report: Report, name: string, took: readonly number[]): void {
  const sorted = took.toSorted((one, other) => one - other)
  report.figure({ name, unit: 'ms', value: sorted[Math.floor(sorted.length / 2)] ?? 0 })
  report.note(`${name}: ${sorted.at(-1)} ms at most`)
}
