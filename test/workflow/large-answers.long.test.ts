// A step whose answer is larger than a state may carry: its work is done, and the run is concluded from the journal.
import { appendFileSync, cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { BundleFile, handlerOf, Verb } from '../../core/contract/states.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { startMachines } from '../helpers/running-machines.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
/** A state carries 256 KiB. */
const TOO_MUCH = 300_000

/** The assembly, with a step whose answer is too large. */
function assemblyWith(verb: Verb): string {
  const folder = temporaryFolder()
  cpSync(inject('assemblyDir'), folder, { recursive: true })
  const [asset = ''] = readdirSync(folder).filter((name) => name.startsWith('asset.'))
  const [, step = ''] = handlerOf(verb).split('.')
  const wrapped = `async (...given) => ({ ...(await steps.${step}(...given)), padding: 'x'.repeat(${TOO_MUCH}) })`
  const text = `\nconst steps = module.exports\nmodule.exports = { ...steps, ${step}: ${wrapped} }\n`
  appendFileSync(join(folder, asset, `${BundleFile.Movements}.cjs`), text)
  return folder
}

test.each([
  // A later poll reports the order's end. The run names the order, and calls a person.
  { verb: Verb.Order, outcome: 'STUCK', moved: 1, states: ['Quote', 'Order', 'Conclude', 'ConcludeOutcome', 'Stuck'] },
  { verb: Verb.Quote, outcome: 'OWN_FAULT', moved: 0, states: ['Quote', 'Conclude', 'ConcludeOutcome', 'OwnFault'] },
])(
  'a run whose $verb answers over 256 KiB concludes: $outcome, $moved moved',
  async ({ verb, outcome, moved, states }) => {
    const machine = await startMachines(assemblyWith(verb))
    onTestFinished(() => machine.stop())
    const { report } = await machine.run('large', BUY)
    expect(machine.statesOf('large')).toEqual(states)
    const movements = await machine.movements()
    expect(movements).toHaveLength(moved)
    const [orderId] = movements.map((movement) => movement.orderId)
    expect(report).toMatchObject({ outcome, intentId: 'large', ...(orderId !== undefined && { orderId }) })
    expect(report.why).toContain('States.DataLimitExceeded')
  },
)
