// What the doctor says of keys that may rename contacts. The keys of the sandbox are of the stage test, so the prefix of a
// live key is given.
import { randomUUID } from 'node:crypto'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renamingChecks } from '../../../cli/doctor/access-checks.ts'
import { systemClock } from '../../../core/clock.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import { staticKeySource } from '../../../core/keys/key-source.ts'
import { createServiceClient } from '../../../core/service/service-client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({})
})
afterAll(() => sandbox?.stop())

async function checksWith(named: 'full' | 'readonly', prefix: string) {
  const material = parseKeyMaterial(JSON.stringify(sandbox.keys[named]), { stage: 'test', role: 'read' })
  const key = staticKeySource(material)
  const client = createServiceClient({ baseUrl: sandbox.baseUrl, key, clock: systemClock, newId: randomUUID })
  try {
    const checks = await renamingChecks(prefix, client)
    return checks.map(({ status, detail }) => `${status} ${detail}`)
  } finally {
    client.close()
  }
}

test('a live key that may rename contacts is warned of', async () => {
  expect(await checksWith('full', 'svc_live_0')).toEqual([
    'warn whoever has its bearer secret can rename contacts without a signature',
  ])
})

test('a live key that may not rename contacts is ok', async () => {
  expect(await checksWith('readonly', 'svc_live_0')).toEqual(['ok it may not rename contacts'])
})

test('of a key of the stage test nothing is asked', async () => {
  expect(await checksWith('full', 'svc_test_0')).toEqual([])
})

test('a look changes no contact', async () => {
  const before = sandbox.contacts.map(({ id, reference }) => [id, reference])
  await checksWith('full', 'svc_live_0')
  expect(sandbox.contacts.map(({ id, reference }) => [id, reference])).toEqual(before)
})
