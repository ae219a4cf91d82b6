// Tests the rows of a statement: an asset from its opening to its closing balance, and the sentence of its proof.
import { expect, test } from 'vitest'
import type { AccountStatement, AssetStatement } from '../../../../operations/books/statement/account-statement.ts'
import { STATEMENT_COLUMNS, statementFileRows, statementRows } from '../../../../views/books/statement-rows.ts'
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

test('a file says which entries do not fit, and how many more there are', () => {
  const made: AccountStatement = {
    ...{ account: 'a-1', from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z', zone: 'UTC' },
    ...{ readAt: '2026-02-02T00:00:00.000Z', isProven: false, assets: [SHARES] },
    ...{ faults: ['ledger entry e-1 cannot be read'], faultsTotal: 3 },
  }
  const rows = statementFileRows(made).map((row) => csvRow(STATEMENT_COLUMNS, row))
  expect(rows.slice(-3)).toEqual([
    expect.stringMatching(/^NVDASPV,proven,/),
    ',NOT PROVEN,,,,,ledger entry e-1 cannot be read',
    ',NOT PROVEN,,,,,and 2 more; a shorter period shows its own',
  ])
})
