// Tests the rows of a statement: an asset from its opening to its closing balance, and the sentence of its proof.
import { expect, test } from 'vitest'
import type { AssetStatement } from '../../../../operations/books/statement/account-statement.ts'
import { STATEMENT_COLUMNS, statementRows } from '../../../../views/books/statement-rows.ts'
import { csvRow, csvTitles } from '../../../../views/text/csv.ts'

const PROOF = { isProven: true, openingDay: '2025-12-31', openingBalance: '10', closingDay: '2026-01-31' }
const SHARES: AssetStatement = {
  ...{ asset: 'NVDASPV', opening: '10', closing: '12' },
  lines: [{ kind: 'others', in: '2', out: '0', count: 1 }],
  actions: [
    {
      ...{ after: '2026-01-03T00:00:00.000Z', before: '2026-01-05T00:00:00.000Z', settled: '10' },
      ...{ oldMultiplier: '10', newMultiplier: '20', oldRebased: '100', newRebased: '200' },
    },
  ],
  rebased: { asset: 'NVDAX', opening: '100', closing: '240', openingMultiplier: '10', closingMultiplier: '20' },
  proof: { ...PROOF, closingBalance: '12', entries: 1, change: '2' },
}

test('an asset runs from its opening to its closing balance, and an action changes no settled quantity', () => {
  expect(statementRows(SHARES).map((row) => csvRow(STATEMENT_COLUMNS, row))).toEqual([
    'NVDASPV,opening balance,,,,10,100 NVDAX at a multiplier of 10',
    'NVDASPV,movements of others,2,,1,,',
    'NVDASPV,corporate action,,,,10,the multiplier changed from 10 to 20 between 2026-01-03T00:00:00.000Z and 2026-01-05T00:00:00.000Z: 100 became 200 NVDAX',
    'NVDASPV,closing balance,,,,12,240 NVDAX at a multiplier of 20',
    'NVDASPV,proven,,,,,"from 10 at the end of 2025-12-31 to 12 at the end of 2026-01-31 (UTC), by 1 ledger entry"',
  ])
  expect(csvTitles(STATEMENT_COLUMNS)).toBe('asset,line,in,out,count,balance,note')
})

test('an asset that is not proven says why', () => {
  const proof = { ...SHARES.proof, isProven: false, why: 'the balance history goes from 10 to 13' }
  expect(statementRows({ ...SHARES, proof }).at(-1)).toMatchObject({ line: 'NOT PROVEN', note: proof.why })
})
