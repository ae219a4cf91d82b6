// Wrong input of a run is refused by each field at fault, and right input is taken unchanged.
import { expect, test } from 'vitest'
import { convertRequest } from '../../../../core/contract/convert.ts'
import { withdrawRequest } from '../../../../core/contract/withdraw.ts'
import { differingFields, parseRequest } from '../../../../operations/runs/run-input.ts'

const parseConvertRequest = (text: string) => parseRequest(text, convertRequest)

const good = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.25' }

test('a well-formed conversion is taken unchanged', () => {
  expect(parseConvertRequest(JSON.stringify(good))).toEqual(good)
})

test.each([
  [{ amount: 0.25 }, 'amount'],
  [{ amount: '1e9' }, 'amount'],
  [{ amount: '-1' }, 'amount'],
  [{ amount: '1,5' }, 'amount'],
  [{ amount: '0' }, 'amount'],
  [{ amountAsset: 'EUR' }, 'amountAsset'],
  [{ quoteAsset: 'btc' }, 'quoteAsset'],
  [{ side: 'HOLD' }, 'side'],
  [{ worstRate: '0x10' }, 'worstRate'],
  [{ maxSlippageBps: 1.5 }, 'maxSlippageBps'],
  [{ notAfter: 'tomorrow' }, 'notAfter'],
  [{ baseAsset: undefined }, 'baseAsset'],
  [{ amout: '1' }, 'amout'],
])('input with %j is refused by the name of the field', (change, field) => {
  const parse = () => parseConvertRequest(JSON.stringify({ ...good, ...change }))
  expect(parse).toThrow(new RegExp(`^input: ${field}: .+`))
})

test.each(['', '{', '[]', 'null', '"text"', '{"amount":"1","amount":"2"}'])(
  'input %j is refused in one line',
  (text) => {
    expect(() => parseConvertRequest(text)).toThrow(/^input: [^\n]+$/)
  },
)

test('each wrong field has its own line', () => {
  const parse = () => parseConvertRequest(JSON.stringify({ ...good, amount: '', side: '' }))
  expect(parse).toThrow(/^input: side: [^\n]+\ninput: amount: [^\n]+$/)
})

test('requests differ in the fields whose spelling differs, whatever their order', () => {
  const reordered = { amount: '0.25', amountAsset: 'BTC', side: 'BUY', quoteAsset: 'USDC', baseAsset: 'BTC' }
  expect(differingFields(good, reordered)).toEqual([])
  const nested = (trigger: object) => ({ policy: 'core', trigger })
  expect(differingFields(nested({ by: 'call', id: '1' }), nested({ id: '1', by: 'call' }))).toEqual([])
  expect(differingFields(nested({ by: 'call', id: '1' }), nested({ id: '2', by: 'call' }))).toEqual(['trigger'])
  expect(differingFields(good, { ...good, amount: '0.250', worstRate: '1' })).toEqual(['amount', 'worstRate'])
})

test.each([
  [{ amount: 100 }, 'amount'],
  [{ amount: '0' }, 'amount'],
  [{ feeMode: 'both' }, 'feeMode'],
  [{ contactReference: undefined }, 'contactId'],
  [{ assetSymbol: undefined }, 'assetSymbol'],
  [{ contact: 'c-1' }, 'contact'],
])('a withdrawal with %j is refused by the name of the field', (change, field) => {
  const send = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
  expect(parseRequest(JSON.stringify(send), withdrawRequest)).toEqual(send)
  const parse = () => parseRequest(JSON.stringify({ ...send, ...change }), withdrawRequest)
  expect(parse).toThrow(new RegExp(`^input: ${field}: .+`))
})
