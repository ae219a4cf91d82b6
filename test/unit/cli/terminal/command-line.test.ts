// A step is spelled as a command for the place of the command that names it.
import { expect, test } from 'vitest'
import { spelledFor } from '../../../../cli/terminal/command-line.ts'
import { advice, option } from '../../../../place/next-step.ts'

const flags = { state: 'my state', service: 'https://s', keys: 'k.json', config: 'other.json' }
const at = (given: object, takesKeys = true) => spelledFor({ argv: ['run', 'convert', '-'], flags: given, takesKeys })

test('a step that only reads has the flags of the place, without keys', () => {
  expect(at(flags)({ do: 'show-run', id: 'rb-1', why: 'its plan' })).toBe(
    "npx sluice runs show rb-1 --state 'my state' --service https://s --config other.json   # its plan",
  )
  expect(at({ aws: true })({ do: 'list-cases' })).toBe('npx sluice cases list --aws')
})

test('a step that asks the service has its keys; after a command without keys a person adds them', () => {
  const { keys: _keys, ...place } = flags
  expect(at(flags)({ do: 'audit' })).toContain(' --keys k.json')
  expect(at(place, false)({ do: 'audit' })).toContain(' --keys FILE')
  // The variable SLUICE_KEYS names them.
  expect(at(place, true)({ do: 'audit' })).not.toContain('--keys')
  expect(at({}, false)({ do: 'audit' })).toBe('npx sluice journal audit')
})

test('a step at another place has the flags of that place alone', () => {
  expect(at(flags)({ do: 'set-notice', notice: 'chat', at: { aws: true } })).toBe(
    'npx sluice events notices set chat --address FILE --aws',
  )
})

test('the same command again gets its id and its input', () => {
  expect(at(flags)({ do: 'same', id: 'a' })).toBe('echo INPUT | npx sluice run convert - --id a')
  expect(at({})({ do: 'run', verb: 'convert', input: { amount: '1' }, id: 'a' })).toBe(
    `echo '{"amount":"1"}' | npx sluice run convert - --id a`,
  )
})

test('steps and options in a text are spelled in their place', () => {
  expect(at({})(advice`look (${{ do: 'list-cases' }}), or give ${option('to')}`)).toBe(
    'look (npx sluice cases list), or give --to',
  )
})
