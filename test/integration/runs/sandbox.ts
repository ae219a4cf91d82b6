// A sandbox for each test, and a client of it with the key that trades. The sandbox's books are the witness.
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import { staticKeySource } from '../../../core/keys/key-source.ts'
import { createServiceClient, type ServiceClient } from '../../../core/service/service-client.ts'

type MoreOptions = Omit<Parameters<typeof createServiceClient>[0], 'baseUrl' | 'key' | 'clock' | 'newId'>

export interface SandboxUnderTest {
  readonly client: ServiceClient
  control(path: string, body?: unknown): Promise<unknown>
  /** Ids of the movements. Fails if the books do not balance. */
  movements(): Promise<string[]>
  contactId(reference: string): string
}

/** For each test, or once for all tests of the file. */
export function useSandbox(options: MoreOptions = {}, span: 'test' | 'file' = 'test'): SandboxUnderTest {
  let sandbox: Sandbox
  let client: ServiceClient
  const [before, after] = span === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll]
  before(async () => {
    sandbox = await startSandbox()
    client = createServiceClient({
      baseUrl: sandbox.baseUrl,
      key: staticKeySource(parseKeyMaterial(JSON.stringify(sandbox.keys.full), { stage: 'test', role: 'trade' })),
      clock: systemClock,
      newId: () => crypto.randomUUID(),
      ...options,
    })
  })
  after(async () => {
    client.close()
    await sandbox.stop()
  })

  async function control(path: string, body?: unknown): Promise<unknown> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(sandbox.controlUrl + path, {
      ...init,
      headers: { 'content-type': 'application/json' },
    })
    expect(response.ok).toBe(true)
    return response.json()
  }

  return {
    get client() {
      return client
    },
    control,
    async movements() {
      const oracle = (await control('/oracle')) as { movements: { id: string }[]; invariants: unknown }
      expect(oracle.invariants).toEqual({ ok: true, violations: [] })
      return oracle.movements.map(({ id }) => id)
    },
    contactId: (reference) => sandbox.contacts.find((each) => each.reference === reference)?.id ?? '',
  }
}
