// A setting comes from its flag, then its variable, then its default.
import path from 'node:path'
import { expect, test } from 'vitest'
import { rootDir } from '../../../place/context.ts'
import { resolveSettings } from '../../../place/settings.ts'

const service = { service: 'https://api.example.com', keys: 'keys.json' }

test('without flags and variables a run uses the built-in sandbox, .sluice and the treasury.json at the root', () => {
  expect(resolveSettings({}, {})).toEqual({
    stateDir: path.resolve('.sluice'),
    configFile: path.join(rootDir, 'treasury.json'),
  })
})

test('a flag wins over a variable, and a variable over the default', () => {
  const variables = { SLUICE_STATE: '/variable/state', SLUICE_CONFIG: '/variable/treasury.json' }
  expect(resolveSettings({ state: '/flag/state' }, variables)).toEqual({
    stateDir: '/flag/state',
    configFile: '/variable/treasury.json',
  })
})

test('an empty variable counts as not set', () => {
  expect(resolveSettings({}, { SLUICE_SERVICE: '', SLUICE_KEYS: '' })).not.toHaveProperty('service')
})

test('service and keys may come from different sources', () => {
  const settings = resolveSettings({ service: service.service }, { SLUICE_KEYS: '-' })
  expect(settings.service).toEqual({ url: 'https://api.example.com', keysFile: '-' })
})

test.each([
  [{ keys: 'keys.json' }, {}, /^keys: .*no.*given$/],
  [{}, { SLUICE_SERVICE: 'https://api.example.com' }, /^SLUICE_SERVICE: a service needs a key file/],
  [{ ...service, state: '' }, {}, /^state: expected a value; got an empty one$/],
  [{ keys: 'keys.json' }, { SLUICE_SERVICE: 'api.example.com' }, /^SLUICE_SERVICE: expected an http\(s\) address/],
])('settings %j with variables %j are refused by the name of their source', (flags, variables, message) => {
  expect(() => resolveSettings(flags, variables)).toThrow(message)
})
