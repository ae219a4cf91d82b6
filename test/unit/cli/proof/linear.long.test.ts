// Long lists in a forged proof: both programs read each figure a few times, whatever the length. Once 213 kB of fills took
// seconds, and four times as many would have taken sixteen times as long.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { recordKey } from '../../../../core/contract/records.ts'
import { type Part, sealPack } from '../../../../operations/proof/pack-file.ts'
import { type Evidence, evidenceIn } from '../../../../operations/proof/proof-parts.ts'
import { statementOf } from '../../../../operations/proof/statement.ts'
import { folderOfFile } from '../../../helpers/folders.ts'
import { byScript, stranger } from '../../../integration/cli/toured-proofs.ts'
import { conversion, order } from '../../reconcile/audited-world.ts'
import { FROM } from './from.ts'

const AT = '2026-02-01T12:00:00.000Z'

const folder = folderOfFile()

/** Fills of one id. Only the last has the figure of the entries, so a search from the start finds it at the end. */
function longParts(count: number): Part[] {
  const { kind, intentId } = conversion
  const intent = { ...conversion, createdAt: AT, attempt: undefined, ref: order.id }
  const record = (pk: string, fields: object) => ({
    part: `record ${pk}`,
    record: { pk, version: 1, format: 1, stamp: 's', ...fields },
  })
  const fills = Array.from({ length: count }, (_, nth) => {
    const figure = nth === count - 1 ? '2' : '1'
    return { id: 'f', baseAmount: figure, quoteAmount: figure }
  })
  const ledger = Array.from({ length: count }, () => ({ amount: '2', source: { type: 'fill', id: 'f' } }))
  const parts = [
    { part: 'about', kind, id: intentId, at: AT, from: FROM, readWith: 'k' },
    record(recordKey.intent(kind, intentId), intent),
    record(recordKey.claim(kind, order.id), { intentId }),
    { part: `service ${intentId}`, readAt: AT, orders: [{ id: order.id, row: order }], fills, ledger },
  ]
  return JSON.parse(JSON.stringify(parts))
}

const evidenceOf = (parts: readonly Part[]) => evidenceIn(new Map(parts.map((part) => [part.part, part])))

test('a proof with 30,000 fills and as many entries gets the same verdict from both programs', async () => {
  const parts = longParts(30_000)
  const statement = statementOf(evidenceOf(parts))
  const file = path.join(folder, 'long.proof')
  writeFileSync(file, await sealPack([...parts, { part: 'statement', statement } as Part], stranger))
  const codes = statement.contradictions.map(({ code }) => code)
  expect(codes).toContain('figures_differ')
  const { exitCode, stdout, stderr } = byScript(file)
  expect({ exitCode, stderr }).toEqual({ exitCode: 5, stderr: '' })
  for (const code of codes) expect(stdout).toContain(code)
})

test('a file of far more lines than a proof may have is refused by the script, and not listed', () => {
  const file = path.join(folder, 'lines.proof')
  writeFileSync(file, Buffer.alloc(32 * 1024 * 1024, '\n'))
  expect(byScript(file)).toMatchObject({ exitCode: 1, stdout: '' })
})

/** Counts the reads of fields of fills and entries. */
function readsOf(count: number): number {
  let reads = 0
  const counted = <Row extends object>(row: Row): Row =>
    new Proxy(row, {
      get(target, field) {
        reads += 1
        return Reflect.get(target, field)
      },
    })
  const evidence = evidenceOf(longParts(count))
  const services: Evidence['services'] = new Map(
    [...evidence.services].map(([id, { fills = [], ledger, ...service }]) => [
      id,
      { ...service, fills: fills.map(counted), ledger: ledger.map(counted) },
    ]),
  )
  statementOf({ ...evidence, services })
  return reads
}

test('four times as many fills and entries are read about four times as often', () => {
  expect(readsOf(100)).toBeGreaterThan(100)
  expect(readsOf(400)).toBeLessThan(5 * readsOf(100))
})
