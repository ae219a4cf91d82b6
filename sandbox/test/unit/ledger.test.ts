import { describe, expect, test } from 'vitest'
import { type Account, Ledger, type Transfer } from '../../service/ledger.ts'

function transfer(from: Account, to: Account, amount: bigint, type = 'TEST'): Transfer {
  return { type, source: { type: 'adjustment', id: 'x' }, atMs: 0, asset: 'USD', from, to, amount }
}

describe('the ledger', () => {
  test('a transfer takes from one account what it gives to the other', () => {
    const ledger = new Ledger()
    ledger.post([transfer('outside', 'available', 10n), transfer('available', 'frozen', 4n)])
    expect(ledger.position('USD')).toMatchObject({ outside: -10n, available: 6n, frozen: 4n })
    expect(ledger.audit()).toEqual([])
  })

  test('a set of transfers that would take a customer account below zero leaves no trace', () => {
    const ledger = new Ledger()
    ledger.post([transfer('outside', 'available', 10n)])
    expect(() => ledger.post([transfer('available', 'frozen', 4n), transfer('available', 'dealer', 7n)])).toThrow(
      'below zero',
    )
    expect(ledger.position('USD')).toMatchObject({ available: 10n, frozen: 0n })
    expect(ledger.entries).toHaveLength(1)
  })

  test('a negative amount is refused, and nothing is no entry', () => {
    const ledger = new Ledger()
    expect(() => ledger.post([transfer('outside', 'available', -1n)])).toThrow('negative')
    ledger.post([transfer('outside', 'available', 0n)])
    expect(ledger.entries).toEqual([])
    expect(ledger.isHeld('USD')).toBe(false)
  })

  test('the statement holds what changed the balance, and not what was only frozen', () => {
    const ledger = new Ledger()
    ledger.post([transfer('outside', 'available', 10n, 'IN'), transfer('available', 'frozen', 4n, 'HOLD')])
    ledger.post([transfer('frozen', 'dealer', 3n, 'OUT'), transfer('frozen', 'available', 1n, 'RELEASE')])
    expect(ledger.statement.map((entry) => [entry.type, Ledger.balanceChange(entry)])).toEqual([
      ['IN', 10n],
      ['OUT', -3n],
    ])
  })

  test('the audit notices an entry that was tampered with', () => {
    const ledger = new Ledger()
    ledger.post([transfer('outside', 'available', 10n)])
    Object.assign(ledger.entries[0] as object, { amount: 9n })
    expect(ledger.audit()).toEqual([
      'USD available: the entries do not add up to the position',
      'USD outside: the entries do not add up to the position',
    ])
  })
})
