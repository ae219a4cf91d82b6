// Starts two services that answer which account a key belongs to. Makes a state directory for each test.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ServiceKey } from '../../../../core/keys/key-source.ts'
import { admitService } from '../../../../place/account/admit-service.ts'
import {
  type Arrived,
  answerJson,
  answerProblem,
  type LocalServer,
  startLocalServer,
} from '../../../helpers/local-server.ts'
import { manualClock } from '../../../helpers/manual-clock.ts'
import { makeKey } from '../../../helpers/service-keys.ts'

/** `one` and `oneToo` belong to account-1, `two` to account-2. `mute` and `muteToo` may not read their account. */
export const names = ['one', 'oneToo', 'two', 'mute', 'muteToo', 'revoked'] as const

export const keys = Object.fromEntries(
  names.map((name) => [name, makeKey(name.padEnd(12, 'x').padEnd(38, '0')).key]),
) as Record<(typeof names)[number], ServiceKey>

/** A key of `otherService`. Its account there has the id account-1, too. */
export const otherServiceKey = makeKey('foreign').key

/** A key of the stage `live`. */
export const liveKey = makeKey('live', 'EdDSA', 'live').key

const ACCOUNTS: ReadonlyMap<string, string> = new Map([
  [keys.one.secret, 'account-1'],
  [keys.oneToo.secret, 'account-1'],
  [keys.two.secret, 'account-2'],
  [liveKey.secret, 'account-1'],
])

/** Service time. */
export const NOW = '2026-03-01T09:00:00.000Z'

export let server: LocalServer

/** Another service. It accepts only `otherServiceKey`, and its account also has the id account-1. */
export let otherService: LocalServer

/** Answers a request for the time. For any other request, returns the secret that it carries. */
function answerTime({ target, headers }: Arrived, response: ServerResponse): string | undefined {
  response.setHeader('date', new Date(NOW).toUTCString())
  if (target === '/v2/time') return void answerJson(response, 200, { time: NOW })
  return headers.authorization?.replace('Bearer ', '') ?? ''
}

function answerAccount(response: ServerResponse, id: string): void {
  const person = { username: 'u', email: 'e', fullName: 'f', nationalId: null }
  answerJson(response, 200, { id, ...person, verificationStatus: 'V', preferredCurrency: 'EUR' })
}

/** The state directory of the present test. */
export let dir: string

/** The same service under another address. */
export const localhost = () => server.baseUrl.replace('127.0.0.1', 'localhost')

/** Admits `server` to a state directory, as the first start of a desk there does. */
export function admit(stateDir: string, ...ownKeys: ServiceKey[]) {
  return admitAt(server.baseUrl, stateDir, ...ownKeys)
}

export async function admitAt(url: string, stateDir: string, ...ownKeys: ServiceKey[]) {
  const folder = await admitService(stateDir, { url, ownKeys }, manualClock())
  mkdirSync(folder.awsDir, { recursive: true })
  return folder
}

/** Starts both services for the tests of a file, and makes a new directory for each test. */
export function useAccounts(): void {
  beforeAll(async () => {
    server = await startLocalServer((request, response) => {
      const secret = answerTime(request, response)
      if (secret === undefined) return
      const id = ACCOUNTS.get(secret)
      if (secret === keys.revoked.secret) return answerProblem(response, 401, 'key_revoked')
      if (id === undefined) return answerProblem(response, 403, 'insufficient_scope')
      return answerAccount(response, id)
    })
    otherService = await startLocalServer((request, response) => {
      const secret = answerTime(request, response)
      if (secret === undefined) return
      if (secret !== otherServiceKey.secret) return answerProblem(response, 401, 'unauthorized')
      return answerAccount(response, 'account-1')
    })
  })
  afterAll(() => Promise.all([server.stop(), otherService.stop()]))
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'sluice-account-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))
}
