// A function refuses an environment or a treasury file that it does not fully understand.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseTreasury, writeTreasuryFile } from '../../../core/treasury/config.ts'
import { readTreasuryFile } from '../../../functions/runtime/deployed-configuration.ts'
import {
  readJournalTable,
  readKeyRole,
  readKeySecret,
  readKmsKey,
  readMovementSettings,
  readServiceUrl,
  readStage,
  readTiming,
} from '../../../functions/runtime/environment.ts'
import { temporaryFolder } from '../../helpers/folders.ts'

type Read = (env: Record<string, string | undefined>) => unknown

function complaintOf(read: Read, name: string, value: string | undefined): Error {
  try {
    read({ [name]: value })
  } catch (error) {
    return error as Error
  }
  throw new Error(`${name}=${value} was taken`)
}

const ADDRESS = 'expected an http(s) address without /v2, query or credentials, such as "https://api.example.com"'

describe('a wrong variable is a defect, whose one line names it, the expected value, and the remedy', () => {
  test.each<[string, Read, string | undefined, string]>([
    ['SLUICE_JOURNAL_TABLE', readJournalTable, undefined, 'SLUICE_JOURNAL_TABLE: expected a value of type string'],
    ['SLUICE_JOURNAL_TABLE', readJournalTable, '', 'SLUICE_JOURNAL_TABLE: expected a value'],
    ['SLUICE_KEY_SECRET', readKeySecret, undefined, 'SLUICE_KEY_SECRET: expected a value of type string'],
    ['SLUICE_SERVICE_URL', readServiceUrl, undefined, 'SLUICE_SERVICE_URL: expected a value of type string'],
    ['SLUICE_SERVICE_URL', readServiceUrl, 'ftp://canary', `SLUICE_SERVICE_URL: ${ADDRESS}`],
    ['SLUICE_SERVICE_URL', readServiceUrl, 'https://user:canary@host', `SLUICE_SERVICE_URL: ${ADDRESS}`],
    ['SLUICE_SERVICE_URL', readServiceUrl, 'https://canary/v2/', `SLUICE_SERVICE_URL: ${ADDRESS}`],
    ['SLUICE_STAGE', readStage, 'canary', 'SLUICE_STAGE: expected live or test'],
    ['SLUICE_STAGE', readStage, undefined, 'SLUICE_STAGE: expected live or test'],
    ['SLUICE_KEY_ROLE', readKeyRole, 'canary', 'SLUICE_KEY_ROLE: expected read, trade or transfer'],
    ['SLUICE_KMS_KEY', readKmsKey, 'canary', 'SLUICE_KMS_KEY: expected the ARN of a KMS key, or alias/NAME'],
    ['SLUICE_TIMING', readTiming, undefined, 'SLUICE_TIMING: expected a value of type string'],
    ['SLUICE_TIMING', readTiming, '{"canary', 'SLUICE_TIMING: expected JSON'],
    ['SLUICE_TIMING', readTiming, 'null', 'SLUICE_TIMING: expected a value of type object'],
    ['SLUICE_TIMING', readTiming, '{"leeway":1}', 'SLUICE_TIMING: unknown leeway'],
    [
      'SLUICE_TIMING',
      readTiming,
      '{"tokenLifeSeconds":61}',
      'SLUICE_TIMING.tokenLifeSeconds: expected a whole number from 5 to 60',
    ],
    [
      'SLUICE_TIMING',
      readTiming,
      '{"leewaySeconds":"canary"}',
      'SLUICE_TIMING.leewaySeconds: expected a whole number from 0 to 600',
    ],
  ])('%s, read by %o from %o', (name, read, value, told) => {
    const complaint = complaintOf(read, name, value)
    expect(complaint.name).toBe('Defect')
    expect(complaint.message).toBe(`environment ${told}; deploy again from treasury.json`)
    expect(complaint.message).not.toContain('canary')
  })
})

test("infra's settings are read unchanged, and an omitted timing has its default", () => {
  expect(readJournalTable({ SLUICE_JOURNAL_TABLE: 'sluice-journal' })).toBe('sluice-journal')
  expect(readServiceUrl({ SLUICE_SERVICE_URL: 'http://127.0.0.1:4010/base' })).toBe('http://127.0.0.1:4010/base')
  expect(readStage({ SLUICE_STAGE: 'live' })).toBe('live')
  expect(readKeyRole({ SLUICE_KEY_ROLE: 'trade' })).toBe('trade')
  expect(readTiming({ SLUICE_TIMING: '{"attempts":2}' })).toMatchObject({ attempts: 2, leewaySeconds: 60 })
})

test('without the name of a KMS key, no key signs', () => {
  expect(readKmsKey({})).toBeUndefined()
  expect(readKmsKey({ SLUICE_KMS_KEY: 'alias/sluice-trade' })).toBe('alias/sluice-trade')
})

describe('the treasury file beside the bundle', () => {
  function folderWith(write: (folder: string) => void): string {
    const folder = temporaryFolder()
    write(folder)
    return folder
  }

  const policies = {
    weekly: { kind: 'sweep', rules: [{ assets: ['USDC'], contactId: 'c-1' }], guards: { total: { daily: '10' } } },
  }
  const written = { service: { url: 'https://service.example', stage: 'test' }, policies }

  test('is read as it was written, with every default filled in', () => {
    const treasury = parseTreasury(JSON.stringify(written))
    const folder = folderWith((into) => writeTreasuryFile(into, treasury))
    const env = { LAMBDA_TASK_ROOT: folder, SLUICE_TREASURY_FILE: 'treasury.json' }
    expect(readTreasuryFile(env)).toEqual(treasury)
    const { guards, policies } = treasury
    expect(readMovementSettings(env)).toEqual({ guards, policies })
  })

  test.each<[string, string | undefined, string, string]>([
    ['no name', undefined, '{}', 'SLUICE_TREASURY_FILE: expected a value of type string'],
    ['a path', '../treasury.json', '{}', 'SLUICE_TREASURY_FILE: expected the name of a file beside the bundle'],
    ['another file', 'other.json', '{}', 'SLUICE_TREASURY_FILE: expected a file that can be read beside the bundle'],
    ['no JSON', 'treasury.json', '{"canary', 'SLUICE_TREASURY_FILE: expected JSON'],
    [
      'another shape',
      'treasury.json',
      '{"service":1}',
      'SLUICE_TREASURY_FILE.service: expected a value of type object',
    ],
  ])('is a defect, reported without its text, if there is %s', (_, name, text, told) => {
    const folder = folderWith((into) => writeFileSync(join(into, 'treasury.json'), text))
    const read = () => readTreasuryFile({ LAMBDA_TASK_ROOT: folder, SLUICE_TREASURY_FILE: name })
    expect(read).toThrow(`environment ${told}; deploy again from treasury.json`)
    expect(read).not.toThrow('canary')
  })

  test('is refused by a step that moves money for a guard or a policy that it does not know', () => {
    const refused = (text: string) => {
      const folder = folderWith((into) => writeFileSync(join(into, 'treasury.json'), text))
      return () => readMovementSettings({ LAMBDA_TASK_ROOT: folder, SLUICE_TREASURY_FILE: 'treasury.json' })
    }
    expect(refused('{"guards":{"largest":1}}')).toThrow('SLUICE_TREASURY_FILE.guards')
    expect(refused('{"policies":{"weekly":{"kind":"canary"}}}')).toThrow('SLUICE_TREASURY_FILE.policies.weekly')
  })
})
