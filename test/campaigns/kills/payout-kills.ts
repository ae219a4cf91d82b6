// Pays one long payout file while answers are lost and the process is killed, then gives the file again and corrected. The
// witness is the sandbox in this process, which no kill reaches: by its own books each row must have moved once.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@sluice/service-sandbox'
import { startSluice } from '../../integration/cli/command-line.ts'
import { seededRandom } from '../../simulation/choices.ts'
import type { Given, Played } from '../campaign.ts'

/** Every asset has a lane, and a lost answer holds it until its fence: with many assets the others go on meanwhile. */
const ASSETS = ['USDC', 'EUR', 'USD', 'BTC', 'ETH', 'SOL', 'XRP', 'LTC', 'LINK', 'GBP', 'CHF', 'USDT']
/** An account at the same service, which takes every asset. */
const PAYEE = 'subsidiary'
/** The service's time goes so much faster than the machine's, so that a withdrawal completes within two seconds. */
const FASTER = { everyMs: 250, addedMs: 500 }
/** Short waits, so that a lost answer costs less than a minute of machine time. */
const TIMING = {
  ...{ tokenLifeSeconds: 15, leewaySeconds: 6, visibilitySeconds: 15, bankPayoutHours: 0 },
  ...{ pollInsideSeconds: 0, pollFirstWaitSeconds: 1, pollLongestWaitSeconds: 2 },
}
/** Rows that the corrected file adds. */
const ADDED = 5
/** Interval at which the books are read for the next kill. */
const LOOK_MS = 500
/** A killed process is started again after its end, at most so often in all. */
const MOST_STARTS = 60

/** How often the command is killed. */
const KILLS = 3
/** Share of the answers to sends that are lost, from 0 to 1. */
const LOST = 0.05

export async function payUnderKills({ size: count, seed }: Given): Promise<Played> {
  const dir = mkdtempSync(path.join(tmpdir(), 'sluice-payouts-'))
  const sandbox = await startSandbox({ seed: `payouts ${seed}` })
  const random = seededRandom(seed)
  const violations: string[] = []
  const startedMs = performance.now()
  let [killed, mostMemoryMb] = [0, 0]

  const control = async (at: string, body?: object): Promise<unknown> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(sandbox.controlUrl + at, init)
    if (!answer.ok) throw new Error(`${at} was refused: ${await answer.text()}`)
    return answer.json()
  }
  const file = (name: string) => path.join(dir, name)
  const place = ['--state', file('state'), '--config', file('treasury.json'), '--service', sandbox.baseUrl]
  const command = (verb: string, ...more: string[]) => ['payouts', verb, ...more, '--policy', 'pay', ...place]

  /** Runs a command to its end. On the way it is killed `mostKills` times, as the rows move, and begun again. */
  async function run(args: readonly string[], mostKills: number) {
    for (let starts = 0; starts < MOST_STARTS; starts += 1) {
      const started = startSluice([...args, '--keys', file('keys.json'), '--json'])
      let isOver = false
      const dies = async () => {
        const atMoved = ((killed + random()) / mostKills) * count
        while (!isOver && (await moved()) < atMoved) await sleep(LOOK_MS)
        if (isOver) return
        killed += 1
        console.error(`kill ${killed} of ${mostKills} after ${await moved()} moved`)
        started.child.kill('SIGKILL')
      }
      const memory = watchMemory(started.child.pid, (mb) => {
        mostMemoryMb = Math.max(mostMemoryMb, mb)
      })
      const death = killed < mostKills ? dies() : Promise.resolve()
      const ended = await started.ended
      isOver = true
      clearInterval(memory)
      await death
      if (ended.signal !== 'SIGKILL') return ended
    }
    throw new Error(`a command did not end in ${MOST_STARTS} starts`)
  }
  const moved = async () => ((await control('/oracle')) as { movements: unknown[] }).movements.length

  const ending = new AbortController()
  const faster = (async () => {
    while (!ending.signal.aborted) {
      await control('/clock', { advanceMs: FASTER.addedMs })
      await sleep(FASTER.everyMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })()
  try {
    const { alg, privateKeyPem, secret } = sandbox.keys.full
    writeFileSync(file('keys.json'), JSON.stringify({ secret, privateKeyPem, alg }), { mode: 0o600 })
    writeFileSync(file('treasury.json'), JSON.stringify(treasury()))
    for (const assetSymbol of ASSETS) await control('/balance', { assetSymbol, balance: '10000000' })
    const payee = sandbox.contacts.find(({ reference }) => reference === PAYEE)?.id ?? ''
    const line = (index: number) =>
      `row-${index},${payee},${ASSETS[index % ASSETS.length]},${amountOf(index)},"Payout ${index}"`
    const write = (name: string, rows: number) => {
      const lines = Array.from({ length: rows }, (_, index) => line(index))
      writeFileSync(file(name), ['id,contactId,asset,amount,reference', ...lines].join('\n'))
      return file(name)
    }
    const june = write('june.csv', count)
    const rule = { match: { method: 'POST', path: '/v2/withdrawals', probability: LOST, times: 'always' } }
    await control('/rules', { ...rule, fault: { kind: 'dropAfterCommit' } })

    const paid = await run(command('run', june, '--id', 'june'), KILLS)
    const [firstMoved, firstSeconds] = [await moved(), (performance.now() - startedMs) / 1000]
    console.error(`the first file ended with ${paid.exitCode} after ${firstSeconds.toFixed(0)} s, ${firstMoved} moved`)
    if (paid.exitCode !== 0) violations.push(`the file ended with ${paid.exitCode}: ${paid.stderr.slice(-600)}`)
    const again = await run(command('run', june, '--id', 'june-again'), 0)
    if (again.exitCode !== 0) violations.push(`the same file ended with ${again.exitCode}: ${again.stderr.slice(-600)}`)
    const corrected = await run(command('run', write('corrected.csv', count + ADDED), '--id', 'corrected'), 0)
    if (corrected.exitCode !== 0)
      violations.push(`the corrected file ended with ${corrected.exitCode}: ${corrected.stderr.slice(-600)}`)
    violations.push(...(await judge(await control('/oracle'), count + ADDED)))
    const { rules } = (await control('/rules')) as { rules: readonly { readonly met?: number }[] }
    return {
      violations,
      facts: [
        `rows ${count + ADDED}, lost answers ${rules[0]?.met ?? 0}, kills ${killed}, ${mostMemoryMb.toFixed(0)} MB at most`,
      ],
    }
  } finally {
    ending.abort()
    // A request that is under way when the sandbox stops would fail behind the campaign.
    await faster
    await sandbox.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

function treasury() {
  const guards = { snapshotSeconds: 120 }
  const pay = { kind: 'payouts', assets: ASSETS, feeMode: 'deduct', runLifeSeconds: 86_400 }
  const service = { url: 'https://api.example.com', stage: 'test', shared: false }
  return { service, timing: TIMING, guards, policies: { pay } }
}

/** Every row has an amount of its own, so that each movement in the books is the movement of one row. */
function amountOf(index: number): string {
  return String(100 + index)
}

/** Compares the service's books with the file: each row's amount must have left once, and nothing else. */
async function judge(oracle: unknown, rows: number): Promise<string[]> {
  const { movements, invariants } = oracle as {
    readonly movements: readonly { readonly kind: string; readonly amount?: string; readonly total?: string }[]
    readonly invariants: { readonly ok: boolean; readonly violations: readonly string[] }
  }
  const counts = new Map<string, number>()
  for (const { amount, total } of movements) {
    const key = String(Number(total ?? amount))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const wrong = Array.from({ length: rows }, (_, index) => amountOf(index)).flatMap((amount) => {
    const times = counts.get(amount) ?? 0
    return times === 1 ? [] : [`the row of ${amount} moved ${times} times`]
  })
  const extra = movements.length === rows ? [] : [`${movements.length} movements for ${rows} rows`]
  return [...wrong, ...extra, ...(invariants.ok ? [] : invariants.violations)]
}

/** Linux tells the resident memory of a process; elsewhere none is reported. */
function watchMemory(pid: number | undefined, note: (mb: number) => void): NodeJS.Timeout {
  const look = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const kb = /VmHWM:\s+(\d+) kB/.exec(status)?.[1]
    if (kb !== undefined) note(Number(kb) / 1024)
  }
  return setInterval(() => void look(), 500).unref()
}
