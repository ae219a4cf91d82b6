// Intrinsic functions give the values that the Amazon States Language defines, and fail where their arguments do not fit.
import { expect, test } from 'vitest'
import { evaluate, parseIntrinsic } from '../../states/intrinsic.ts'
import type { Json } from '../../states/json.ts'

const DATA: Json = {
  template: '{} {}',
  name: 'Ada',
  n: 3,
  list: [1, 'two'],
  object: { x: null },
  text: '{"y":[1]}',
  yes: true,
}
const scope = { data: DATA, context: { Execution: { Name: 'run-1' } } }
const evaluated = (text: string) => evaluate(parseIntrinsic(text), scope, 'field.$')

test.each<[string, Json]>([
  ["States.Format('Hello {}, {} of {}', $.name, $.n, $.yes)", 'Hello Ada, 3 of true'],
  ["States.Format('plain')", 'plain'],
  ["States.Format('\\{\\} and {}', $.n)", '{} and 3'],
  ["States.Format('it\\'s {}', $.name)", "it's Ada"],
  ["States.Format('\\\\{}', $.n)", '\\3'],
  ["States.Array('\\{a\\}', '\\\\', '{b}')", ['{a}', '\\', '{b}']],
  ["States.Format('{}, {}', 'a, (b)', null)", 'a, (b), null'],
  ["States.Format('{}', $$.Execution.Name)", 'run-1'],
  ['States.JsonToString($.object)', '{"x":null}'],
  ['States.JsonToString($)', JSON.stringify(DATA)],
  ['States.StringToJson($.text)', { y: [1] }],
  ["States.StringToJson('[1, 2]')", [1, 2]],
  ['States.Array($.n, -1.5, true, null, $.list)', [3, -1.5, true, null, [1, 'two']]],
  ['States.Array()', []],
  ['States.JsonMerge(States.StringToJson(\'{"x":1,"y":2}\'), $.object, false)', { x: null, y: 2 }],
  ["States.StringSplit('run_2', '_')", ['run', '2']],
  ["States.StringSplit($$.Execution.Name, '_')", ['run-1']],
  ["States.ArrayGetItem(States.StringSplit('run_2', '_'), 0)", 'run'],
  ['States.ArrayGetItem($.list, 1)', 'two'],
  ['States.MathAdd($.n, -5)', -2],
  ['States.MathAdd( 2147483646 , 1 )', 2_147_483_647],
  ["States.StringToJson(States.Format('[{}]', States.MathAdd($.n, 1)))", [4]],
])('%s', (text, value) => {
  expect(evaluated(text)).toEqual(value)
})

test.each([
  ['States.Format($.template, $.n)', 'fewer values than placeholders'],
  ['States.Format($.template, $.n, $.n, $.n)', '3 values for 2 placeholders'],
  ['States.Format($.n)', 'its first argument must be a string'],
  ["States.Format('{}', 1e21)", 'a number is too large'],
  ["States.Format('{}', 0.0001)", 'a fraction too small'],
  ["States.Format('{}', 12345678.5)", 'too large'],
  ['States.StringToJson($.name)', 'its argument is not JSON'],
  ['States.StringToJson($.n)', 'its argument must be a string'],
  ['States.JsonMerge($.object, $.object, true)', 'the arguments must be two objects and false'],
  ["States.StringSplit($.n, '_')", 'both arguments must be strings'],
  ["States.StringSplit('a_b', '')", 'the delimiter is empty'],
  ['States.ArrayGetItem($.list, 2)', 'the list has no item 2'],
  ["States.ArrayGetItem($.list, '0')", 'the arguments must be a list and a whole number'],
  ["States.MathAdd($.n, '1')", 'both arguments must be numbers of 32 bits'],
  ['States.MathAdd($.n, 2147483647.5)', 'both arguments must be numbers of 32 bits'],
  ['States.MathAdd(2147483647, 1)', 'the sum does not fit 32 bits'],
])('%s fails: %s', (text, message) => {
  expect(() => evaluated(text)).toThrow(expect.objectContaining({ error: 'States.IntrinsicFailure' }))
  expect(() => evaluated(text)).toThrow(message)
})

test('an argument without a value fails with States.Runtime', () => {
  expect(() => evaluated('States.Array($.nothing)')).toThrow(expect.objectContaining({ error: 'States.Runtime' }))
})

test.each([
  'States.UUID()',
  "States.Format('{} {}', $.n)",
  "States.Format('{}', $.n, $.n)",
  "States.Format('{ {}', $.n)",
  'States.Format(1)',
  "States.Array('a\\nb')",
  `States.Array('\\"')`,
  'States.Array(01)',
  'States.Format',
  "States.Format('open",
  'States.Array(1 2)',
  'States.Array(1,)',
  'States.MathAdd(1)',
  'States.Array(1) and more',
  'States.Array($.a[*])',
  "'only a string'",
  `${'States.Array('.repeat(11)}${')'.repeat(11)}`,
])('%s is refused when it is parsed', (text) => {
  expect(() => parseIntrinsic(text)).toThrow(expect.objectContaining({ name: 'PathError' }))
})
