// A policy is added to the text of a treasury.json, and every other character stays.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines, withPolicy } from '../../../../operations/setup/add-policy.ts'

const FUND = { kind: 'fund', asset: 'EUR', atLeast: '100', from: [{ asset: 'USD' }] }

const HAND_WRITTEN = `{
    "policies": {
        "b": { "kind": "sweep", "note": "} \\" {" },
        "a": {"kind":"rebalance", "weights": {"BTC":"1.00","policies":"0"}}
    },
    "service": {  "url": "https://service.example", "timeout": 1e2 }
}
`

test('the policy comes behind the others, with the indentation of the file, and nothing else changes', () => {
  const added = withPolicy(HAND_WRITTEN, 'euros', FUND)
  const place = '"policies":"0"}}'
  const [head = '', tail = ''] = HAND_WRITTEN.split(place)
  expect(added.startsWith(`${head}${place},\n        "euros": {\n            "kind": "fund",`)).toBe(true)
  expect(added.endsWith(tail)).toBe(true)
})

test.each([
  ['no policies', '{\n  "service": {}\n}\n'],
  ['empty policies', '{ "policies": {}, "service": {} }'],
  ['one line', '{"service":{"policies":{"x":{}}},"policies":{"x":{}}}'],
  ['tabs and line ends of Windows', '{\r\n\t"policies": {\r\n\t\t"x": {}\r\n\t}\r\n}\r\n'],
  ['a mark of UTF-8', '\uFEFF{"policies": {"x": {}}}'],
])('a file with %s gets the policy', (_what, text) => {
  const added = withPolicy(text, 'euros', FUND)
  const { policies, ...others } = JSON.parse(added.replace('\uFEFF', ''))
  const { policies: were = {}, ...same } = JSON.parse(text.replace('\uFEFF', ''))
  expect({ policies, others }).toEqual({ policies: { ...were, euros: FUND }, others: same })
  expect(added.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
  expect(/[^\r]\n/.test(added)).toBe(/[^\r]\n/.test(text) || !text.includes('\r'))
})

test('in any file the policy is the only change', () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/)
  const texts = fc.dictionary(name, fc.string(), { noNullPrototype: true })
  const value = fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()), texts)
  fc.assert(
    fc.property(
      fc.dictionary(name, value, { noNullPrototype: true }),
      fc.dictionary(name, fc.dictionary(name, value, { noNullPrototype: true }), { noNullPrototype: true }),
      fc.constantFrom(0, 2, 4, '\t'),
      (others, policies, indent) => {
        const { policies: _own, ...rest } = others
        const { euros: _taken, ...were } = policies
        const text = JSON.stringify({ service: {}, ...rest, policies: were, last: 1 }, undefined, indent)
        const added = withPolicy(text, 'euros', FUND)
        expect(JSON.stringify(JSON.parse(added))).toBe(
          JSON.stringify({ service: {}, ...rest, policies: { ...were, euros: FUND }, last: 1 }),
        )
      },
    ),
  )
})

test('a name that the file has already is refused, because its policy would change', () => {
  expect(() => withPolicy(HAND_WRITTEN, 'a', FUND)).toThrow()
})

test('the diff shows the changed lines, with two lines around them', () => {
  const lines = diffLines(HAND_WRITTEN, withPolicy(HAND_WRITTEN, 'euros', { kind: 'fund' }))
  expect(lines).toEqual([
    '      "policies": {',
    '          "b": { "kind": "sweep", "note": "} \\" {" },',
    '-         "a": {"kind":"rebalance", "weights": {"BTC":"1.00","policies":"0"}}',
    '+         "a": {"kind":"rebalance", "weights": {"BTC":"1.00","policies":"0"}},',
    '+         "euros": {',
    '+             "kind": "fund"',
    '+         }',
    '      },',
    '      "service": {  "url": "https://service.example", "timeout": 1e2 }',
  ])
})
