// Tests the doctor's findings about keys that may rename contacts. The keys of the sandbox have the stage test, so
// behind a relay they pass for keys of a service's test environment.

import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import { accessChecks } from '../../../operations/doctor/access-checks.ts'
import { type LocalServer, startLocalServer } from '../../helpers/local-server.ts'

let sandbox: Sandbox
/** Relays all requests to the sandbox, and does not say that it is a sandbox. */
let relay: LocalServer
beforeAll(async () => {
  sandbox = await startSandbox({})
  relay = await startLocalServer((request, response) => {
    const { 'content-length': _length, host: _host, connection: _connection, ...headers } = request.headers
    const sent = { method: request.method, headers: headers as Record<string, string> }
    void fetch(
      sandbox.baseUrl + request.target,
      request.method === 'GET' ? sent : { ...sent, body: request.body.toString() },
    )
      .then(async (answer) => {
        const { date = '', 'content-type': type = '' } = Object.fromEntries(answer.headers)
        response.writeHead(answer.status, { date, 'content-type': type }).end(await answer.text())
      })
      .catch(() => response.destroy())
  })
})
afterAll(async () => {
  await relay?.stop()
  await sandbox?.stop()
})

async function checksWith(named: 'full' | 'readonly', baseUrl: string) {
  const key = parseKeyMaterial(JSON.stringify(sandbox.keys[named]), { stage: 'test', role: 'read' })
  const { checks } = await accessChecks(baseUrl, [{ role: 'read', key }], systemClock)
  const renaming = checks.filter(({ check }) => check.startsWith('contacts:write'))
  return renaming.map(({ status, detail }) => `${status} ${detail}`)
}

const WARNED = ['warn anybody with its bearer secret can rename contacts without a signature']

test('a key of the stage test that may rename contacts is a warning', async () => {
  expect(await checksWith('full', relay.baseUrl)).toEqual(WARNED)
})

test('a key that may not rename contacts is ok', async () => {
  expect(await checksWith('readonly', relay.baseUrl)).toEqual(['ok it may not rename contacts'])
})

test('keys of a sandbox are not checked, because everybody has them', async () => {
  expect(await checksWith('full', sandbox.baseUrl)).toEqual([])
})

test('the check changes no contact', async () => {
  const before = sandbox.contacts.map(({ id, reference }) => [id, reference])
  await checksWith('full', relay.baseUrl)
  expect(sandbox.contacts.map(({ id, reference }) => [id, reference])).toEqual(before)
})
