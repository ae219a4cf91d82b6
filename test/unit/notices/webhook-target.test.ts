// Notices from AWS go only to public addresses, and the secret of a webhook is never shown.

import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refused } from '../../../core/errors.ts'
import { isLoopbackAddress, isPublicAddress } from '../../../core/notices/public-address.ts'
import { parseWebhookTarget, signatureHeaders } from '../../../core/notices/webhook-target.ts'

const SLACK = 'https://hooks.slack.com/services/T0/B0/s3cret'
const AWS = { isDesk: false }
const DESK = { isDesk: true }
const KEY = Buffer.alloc(32, 7)

describe('the secret of a webhook', () => {
  test('is an address, or an address and a key', () => {
    expect(parseWebhookTarget(`${SLACK}\n`, AWS)).toMatchObject({ url: new URL(SLACK), signWith: undefined })
    const text = JSON.stringify({ url: SLACK, signWith: `whsec_${KEY.toString('base64')}` })
    expect(parseWebhookTarget(text, AWS).signWith).toEqual(KEY)
  })

  test.each([
    ['nothing', ''],
    ['no address', 's3cret'],
    ['in the clear', 'http://hooks.example.com/s3cret'],
    ['another port', 'https://hooks.example.com:8443/s3cret'],
    ['a user', 'https://s3cret@hooks.example.com/'],
    ['a password', 'https://a:s3cret@hooks.example.com/'],
    ['a fragment', 'https://hooks.example.com/#s3cret'],
    ['a name without a dot', 'https://localhost/s3cret'],
    ['this machine', 'https://127.0.0.1/s3cret'],
    ['this machine, as one number', 'https://2130706433/s3cret'],
    ['this machine, as hex', 'https://0x7f.1/s3cret'],
    ['the metadata', 'https://169.254.169.254/latest/s3cret'],
    ['this machine, in IPv6', 'https://[::1]/s3cret'],
    ['the metadata, in IPv6', 'https://[fd00:ec2::254]/s3cret'],
    ['an IPv4 within IPv6', 'https://[::ffff:10.0.0.1]/s3cret'],
    ['a file', 'file:///etc/s3cret'],
    ['JSON of another shape', '{"address":"s3cret"}'],
    ['broken JSON', '{"url":"s3cret'],
    ['a key that is too short', `{"url":"${SLACK}","signWith":"whsec_c2hvcnQ="}`],
  ])('%s is refused, and never quoted', (_, text) => {
    for (const place of [AWS, ...(text.startsWith('http://127') ? [] : [DESK])]) {
      const refused = expect(() => parseWebhookTarget(text, place))
      refused.toThrow(Refused)
      refused.toThrow(/^(?!.*s3cret).*secret of the notice: /)
    }
  })

  test('on this machine is allowed on one machine, and not on AWS', () => {
    const address = 'http://127.0.0.1:8080/hook'
    expect(parseWebhookTarget(address, DESK).url.port).toBe('8080')
    expect(() => parseWebhookTarget(address, AWS)).toThrow(Refused)
    expect(() => parseWebhookTarget('http://10.0.0.1:8080/hook', DESK)).toThrow(Refused)
  })
})

describe('an address of the internet', () => {
  test.each(['8.8.8.8', '52.94.236.248', '172.15.255.255', '172.32.0.1', '2606:4700::1111', '2a05:d018::1'])(
    '%s is one',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  test.each([
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '169.254.170.2',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...[
      '192.168.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:8.8.8.8',
      'fe80::1',
    ],
    ...[
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '2001:0:1::',
      '2001:db8::1',
      '',
      'localhost',
      '8.8.8',
    ],
  ])('%s is not one', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test('no address of a private, shared, local or group network is one, however it is written', () => {
    const byte = fc.nat(255)
    const local = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    )
    fc.assert(
      fc.property(local, ([a, b, c, d]) => {
        const dotted = `${a}.${b}.${c}.${d}`
        const hex = [a * 256 + b, c * 256 + d].map((part) => part.toString(16)).join(':')
        for (const address of [dotted, `::ffff:${dotted}`, `::${dotted}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
          expect(isPublicAddress(address)).toBe(false)
        }
        for (const host of [dotted, `${((a * 256 + b) * 256 + c) * 256 + d}`, `[::ffff:${dotted}]`]) {
          expect(() => parseWebhookTarget(`https://${host}/`, AWS)).toThrow(Refused)
        }
      }),
    )
  })

  test('loopback belongs to this machine alone', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1'].map(isLoopbackAddress)).toEqual([true, true, true])
    expect(['10.0.0.1', '8.8.8.8', '', '::2'].map(isLoopbackAddress)).toEqual([false, false, false, false])
  })
})

test('a notice is signed by its id, its time and its bytes, as in Standard Webhooks', () => {
  const signed = { id: 'n-1', nowMs: 1_614_265_330_999, body: '{"test": 2432232314}' }
  const mac = createHmac('sha256', KEY).update('n-1.1614265330.{"test": 2432232314}').digest('base64')
  expect(signatureHeaders(signed, KEY)).toEqual({
    'webhook-id': 'n-1',
    'webhook-timestamp': '1614265330',
    'webhook-signature': `v1,${mac}`,
  })
  expect(signatureHeaders(signed, undefined)).not.toHaveProperty('webhook-signature')
})
