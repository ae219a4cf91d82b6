// Counts the cost of one movement, without timing: transitions, requests to the service, reads and writes of the
// journal. Counts it for a conversion that is filled at placement and a withdrawal that completes, on warm functions.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StateMachine } from '../core/contract/states.ts'
import { synthesize } from '../infra/synthesize.ts'
import { type RunningMachines, startMachines } from '../test/helpers/running-machines.ts'
import type { Report } from './report.ts'

const CONVERSION = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const WITHDRAWAL = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
/** The first run of each starts its functions, and is not counted. */
const RUNS = 3

interface Counted {
  readonly run: (name: string) => Promise<{ readonly report: { readonly outcome: string } }>
  readonly stateMachine: StateMachine
}

export async function benchMovement(report: Report): Promise<void> {
  const assemblyDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  synthesize({ configFile: 'treasury.json', outDir: assemblyDir })
  const machine = await startMachines(assemblyDir)
  try {
    const kinds: Readonly<Record<string, Counted>> = {
      conversion: { run: (name) => machine.run(name, CONVERSION), stateMachine: StateMachine.Convert },
      withdrawal: { run: (name) => machine.withdraw(name, WITHDRAWAL), stateMachine: StateMachine.Withdraw },
    }
    for (const [kind, counted] of Object.entries(kinds)) {
      for (let nth = 1; nth <= RUNS; nth += 1) {
        const line = await countOne(`${kind}-${nth}`, counted, machine)
        if (nth > 1) report.note(`${kind} ${nth}: ${line}`)
      }
    }
  } finally {
    await machine.stop()
    rmSync(assemblyDir, { recursive: true, force: true })
  }
}

async function countOne(name: string, { run, stateMachine }: Counted, machine: RunningMachines): Promise<string> {
  const journal = new Map<string, number>()
  machine.hook = ({ service, operation, phase }) => {
    if (service === 'dynamodb' && phase === 'before') journal.set(operation, (journal.get(operation) ?? 0) + 1)
    return undefined
  }
  const before = await requestsOf(machine)
  const { report } = await run(name)
  machine.hook = undefined
  const requests = (await requestsOf(machine)).slice(before.length)
  const states = machine.statesOf(name, stateMachine)
  const byRequest = Map.groupBy(requests, (request) => request)
  return [
    report.outcome,
    `${states.length + 1} transitions (${states.join(', ')})`,
    `${requests.length} requests (${[...byRequest].map(([request, { length }]) => `${request} ${length}`).join(', ')})`,
    `journal ${[...journal].map(([operation, times]) => `${operation} ${times}`).join(', ')}`,
  ].join('; ')
}

/** The service's requests so far, by method and path without ids. */
async function requestsOf(machine: RunningMachines): Promise<string[]> {
  const { requests } = await machine.control<{ requests: { method: string; path: string }[] }>('/oracle')
  return requests.map(({ method, path }) => `${method} ${path.split('?')[0]?.split('/').slice(0, 3).join('/')}`)
}
