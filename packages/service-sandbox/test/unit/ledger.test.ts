// The ledger balances, never goes below zero for a customer, and its audit finds a changed entry.
import { describe, expect, test } from 'vitest'
import { formatAmount, amount as parsed } from '../../service/amount.ts'
import { type Account, Ledger, type Transfer } from '../../service/ledger.ts'

function transfer(from: Account, to: Account, units: number, type = 'TEST'): Transfer {
  const amount = units < 0 ? parsed(String(-units)).neg() : parsed(String(units))
  return { type, source: { type: 'adjustment', id: 'x' }, atMs: 0, asset: 'USD', from, to, amount }
}

describe('the ledger', () => {
  test('a transfer takes the same amount from one account that it gives to the other', () => {
    const ledger = new Ledger()
    ledger.post([transfer('outside', 'available', 10), transfer('available', 'frozen', 4)])
    expect(ledger.position('USD')).toMatchObject({
      outside: parsed('10').neg(),
      available: parsed('6'),
      frozen: parsed('4'),
    })
    expect(ledger.audit()).toEqual([])
  })

  test('transfers that would take a customer account below zero change nothing', () => {
    const ledger = new Ledger()
    ledger.post([transfer('outside', 'available', 10)])
    expect(() => ledger.post([transfer('available', 'frozen', 4), transfer('available', 'dealer', 7)])).toThrow(
      'below zero',
    )
    expect(ledger.position('USD')).toMatchObject({ available: parsed('10'), frozen: parsed('0') })
    expect(ledger.entries).toHaveLength(1)
  })

  test('a negative amount is refused, and a zero amount makes no entry', () => {
    const ledger = new Ledger()
    expect(() => ledger.post([transfer('outside', 'available', -1)])).toThrow('negative')
    ledger.post([transfer('outside', 'available', 0)])
    expect(ledger.entries).toEqual([])
    expect(ledger.isHeld('USD')).toBe(false)
  })

  test('the statement holds changes of the balance, and no freezing', () => {
    const ledger = new Ledger()
    ledger.post([transfer('outside', 'available', 10, 'IN'), transfer('available', 'frozen', 4, 'HOLD')])
    ledger.post([transfer('frozen', 'dealer', 3, 'OUT'), transfer('frozen', 'available', 1, 'RELEASE')])
    expect(ledger.statement.map((entry) => [entry.type, formatAmount(Ledger.balanceChange(entry))])).toEqual([
      ['IN', '10'],
      ['OUT', '-3'],
    ])
  })

  test('the audit finds a changed entry', () => {
    const ledger = new Ledger()
    ledger.post([transfer('outside', 'available', 10)])
    Object.assign(ledger.entries[0] as object, { amount: parsed('9') })
    expect(ledger.audit()).toEqual([
      'USD available: the entries do not add up to the position',
      'USD outside: the entries do not add up to the position',
    ])
  })
})
