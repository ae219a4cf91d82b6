// Wrong proxies and authorities of a deployment are refused by their field, and no secret is quoted.
import { expect, test } from 'vitest'
import { ConfigError, parseTreasury } from '../../../core/treasury/config.ts'
import { makeAuthority } from '../../helpers/self-signed.ts'

const PLACE = { account: '123456789012', region: 'eu-west-1' }
const PROXY = 'http://proxy.company.example:3128'

/** The findings for `aws`, which never quote a value that may be secret. */
function findingsOf(aws: object): readonly string[] {
  try {
    const service = { url: 'https://service.example', stage: 'test' }
    parseTreasury(JSON.stringify({ service, aws: { ...PLACE, ...aws } }))
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    expect(error.message).not.toMatch(/hunter2|MIIB/)
    return error.findings
  }
}

test.each([
  ['a proxy', { proxy: { url: PROXY } }],
  ['a proxy by its address', { proxy: { url: 'http://10.1.2.3:3128/' } }],
  [
    'a proxy with TLS, and hosts without it',
    { proxy: { url: 'https://p.example', except: ['.a.example', '10.0.0.1:8443'] } },
  ],
  ['two authorities', { certificateAuthorities: [makeAuthority().cert, makeAuthority().cert.trim()] }],
])('%s is accepted', (_what, aws) => {
  expect(findingsOf(aws)).toEqual([])
})

const pem = (content: string) => `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----\n`

test.each<[string, object, RegExp]>([
  [
    'a proxy with a password',
    { proxy: { url: 'http://ada:hunter2@proxy.example' } },
    /aws\.proxy\.url: expected .* without user and password/,
  ],
  ['a proxy of SOCKS', { proxy: { url: 'socks5://proxy.example' } }, /aws\.proxy\.url: expected/],
  [
    'a port beyond 65535',
    { proxy: { url: 'http://proxy.example:70000' } },
    /aws\.proxy\.url: expected a port from 1 to 65535; got a larger one$/,
  ],
  ['port 0', { proxy: { url: 'http://proxy.example:0' } }, /aws\.proxy\.url: expected a port from 1 to 65535; got 0$/],
  [
    'a list that would except everything',
    { proxy: { url: PROXY, except: ['*'] } },
    /aws\.proxy\.except\[0\]: expected a host/,
  ],
  ['two hosts in one text', { proxy: { url: PROXY, except: ['a.example,b.example'] } }, /except\[0\]: expected a host/],
  [
    'a private key',
    { certificateAuthorities: [pem('hunter2').replaceAll('CERTIFICATE', 'PRIVATE KEY')] },
    /certificateAuthorities\[0\]: expected one certificate in PEM/,
  ],
  [
    'two certificates in one text',
    { certificateAuthorities: [makeAuthority().cert.repeat(2)] },
    /certificateAuthorities\[0\]: expected one certificate/,
  ],
  [
    'a certificate that lost a part',
    { certificateAuthorities: [pem('MIIBhunter2')] },
    /certificateAuthorities\[0\]: .* cannot be read/,
  ],
  ['no certificate', { certificateAuthorities: [] }, /certificateAuthorities: expected a certificate/],
])('%s is refused', (_what, aws, finding) => {
  expect(findingsOf(aws)).toEqual([expect.stringMatching(finding)])
})
