// Writes of one run on the records that many movements share, counted at the real store. docs/scale.md calculates with
// these figures.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useMachines } from './machines.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '50', policy: 'core' }
const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth', policy: 'core' }
const MANY = '1000000000'

/** Every kind of daily bound. */
const treasury = {
  service: { url: 'https://api.example.com', stage: 'test' },
  guards: { total: { daily: MANY }, assets: { USDC: { daily: MANY } }, dailyOutflow: { USDC: MANY } },
  policies: {
    core: { kind: 'fund', asset: 'BTC', atLeast: '1', from: [{ asset: 'USDC' }], guards: { total: { daily: MANY } } },
  },
}

const machine = useMachines({ treasury })

/**
 * Puts by record, without the movement's own records and with `DAY` for the day. Around midnight a movement has budgets
 * of both days, and the day with more writes counts.
 */
async function writesOf(run: () => Promise<{ report: { outcome: string } }>): Promise<Record<string, number>> {
  const writes: Record<string, number> = {}
  machine.hook = ({ operation, body, phase }) => {
    if (operation !== 'PutItem' || phase !== 'before') return undefined
    const { S: pk } = (body as { Item: { pk: { S: string } } }).Item.pk
    if (!/^[ICAY]#/.test(pk)) writes[pk] = (writes[pk] ?? 0) + 1
    return undefined
  }
  const { report } = await run()
  machine.hook = undefined
  expect(['FILLED', 'COMPLETED', 'PROCESSING']).toContain(report.outcome)
  const byKey: Record<string, number> = {}
  for (const [pk, count] of Object.entries(writes)) {
    const key = pk.replace(/\d{4}-\d\d-\d\d/, 'DAY').replace(/^L#[^#]+/, 'L#ACCOUNT')
    byKey[key] = Math.max(byKey[key] ?? 0, count)
  }
  return byKey
}

/** The columns "conversion" and "withdrawal" of docs/scale.md, by record. */
const table = new Map(
  [...readFileSync('docs/scale.md', 'utf8').matchAll(/^\| `([BLS]#[^`]+)`[^|]*\| (\d) \| (\d) \|/gm)].map(
    ([, key = '', ...counts]) => [key, counts.map(Number)] as const,
  ),
)

/** The writes of the table for one kind of movement. */
function writesInTable(column: 0 | 1): Record<string, number> {
  const named = [...table].map(([key, counts]) => {
    const real = key.replace('POLICY', 'core').replace('#ASSET', '#USDC').replace('asset:…', 'asset:USDC')
    return [real.replace('value:…', 'value:USD'), counts[column] ?? 0] as const
  })
  // The sandbox reports no limit.
  return Object.fromEntries(named.filter(([key, count]) => count > 0 && key !== 'S#turns'))
}

test('a conversion writes each budget that bounds it once, and no other record of several movements', async () => {
  const writes = await writesOf(() => machine.run('first', BUY))
  expect(writes).toEqual({ 'B#*#DAY#asset:USDC': 1, 'B#*#DAY#value:USD': 1, 'B#core#DAY#value:USD': 1 })
  expect(writesInTable(0)).toEqual(writes)
})

test('a withdrawal writes each budget that bounds it once, and the lane of its asset once', async () => {
  const writes = await writesOf(() => machine.withdraw('first', SEND))
  expect(writes).toMatchObject({ 'B#*#DAY#USDC': 1, 'L#ACCOUNT#USDC': 1 })
  expect(writesInTable(1)).toEqual(writes)
})
