// Tests kill -9 at any moment, then the same command again: one movement, one result. The witness is a service in the
// test's process, which no kill reaches.
import { beforeAll, expect, test } from 'vitest'
import { type Running, sluice, startSluice } from './command-line.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
/**
 * The shortest possible fence: the life of a quote, and the time that an answer is waited for. The same as in
 * power-cut.long.test.ts, so that both share an assembly.
 */
const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, orderVisibilitySeconds: 15 }
const named = { ...SERVICE, shared: false }

const { service, desk, file, write } = useCommandsBeside()
beforeAll(async () => {
  write('input.json', request)
})

interface Moment {
  readonly when: string
  readonly fault?: Readonly<Record<string, unknown>>
  /** How long the step polls, and how long the machine waits. Defaults where absent. */
  readonly timingOfReads?: Readonly<Record<string, number>>
  /** Whether the first read of the order is slow, so that the kill comes before the end of the run. */
  readonly isReadSlow?: boolean
  /** Whether the program may end before the kill comes. */
  readonly mayHaveEnded?: boolean
  /** Resolves at the moment to kill. */
  readonly reached: (running: Running, known: readonly string[]) => Promise<unknown>
}

const moments: readonly Moment[] = [
  { when: 'before anything was started', reached: ({ seen }) => seen(/convert +sell/) },
  { when: 'with a quote in hand', reached: ({ seen }) => seen(/Quote +0\.5 ETH/) },
  {
    when: 'after the order was booked and before its answer came',
    fault: { kind: 'delay', ms: 2_000, when: 'after' },
    reached: (_running, known) => service.untilMoved(known),
  },
  {
    when: 'while it was not certain that nothing moved',
    fault: { kind: 'dropBeforeCommit' },
    reached: ({ seen }) => seen(/not certain/),
  },
  {
    when: 'after a lost answer to an order that was booked',
    fault: { kind: 'dropAfterCommit' },
    isReadSlow: true,
    reached: (_running, known) => service.untilMoved(known),
  },
  {
    when: 'while the step that sent the order read it',
    fault: { kind: 'settleLater', afterMs: 3_000, outcome: 'fill' },
    reached: (_running, known) => service.untilMoved(known),
  },
  {
    when: 'while the accepted order was still moving',
    fault: { kind: 'settleLater', afterMs: 1_500, outcome: 'fill' },
    timingOfReads: { pollInsideSeconds: 0, pollFirstWaitSeconds: 2 },
    reached: ({ seen }) => seen(/accepted, still moving/),
  },
  { when: 'when the order was filled', mayHaveEnded: true, reached: ({ seen }) => seen(/Order +filled/) },
]

test.each(moments)(
  'killed $when, the same command ends as one movement',
  async ({ when, fault, isReadSlow, mayHaveEnded, timingOfReads, reached }) => {
    const known = await service.orderIds()
    write('treasury.json', { service: named, timing: { ...timing, ...timingOfReads } })
    if (fault !== undefined) await service.arrange('/v2/orders', fault)
    const slow = { kind: 'delay', ms: 2_000, when: 'before' }
    if (isReadSlow) await service.arrange('/v2/orders/*', slow, { method: 'GET', times: 1 })
    const args = ['run', 'convert', '--id', when, '--input', file('input.json')]
    args.push(...desk())
    args.push('--service', service.baseUrl, '--keys', file('keys.json'))

    const running = startSluice(args)
    await reached(running, known)
    running.child.kill('SIGKILL')
    const { signal } = await running.ended
    if (mayHaveEnded !== true) expect(signal).toBe('SIGKILL')

    const { exitCode, stdout, stderr } = await sluice(args)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ outcome: 'FILLED', baseAmount: '0.5' })
    expect(await service.orderIds()).toEqual([...known, result.orderId])
    expect(await sluice(args)).toMatchObject({ exitCode: 0, stdout })
    expect(await service.orderIds()).toHaveLength(known.length + 1)
  },
)
