// Makes a self-signed certificate for localhost, with just enough of X.509 (RFC 5280) for a test of TLS.
import { generateKeyPairSync, sign } from 'node:crypto'

/** DER: tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content)
  const long = [bytes.length >> 8, bytes.length & 0xff]
  const length = bytes.length < 0x80 ? [bytes.length] : bytes.length < 0x100 ? [0x81, bytes.length] : [0x82, ...long]
  return Buffer.concat([Buffer.from([tag, ...length]), bytes])
}

const sequence = (...content: readonly Uint8Array[]) => der(0x30, ...content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const bitString = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes)
const time = (text: string) => der(0x18, Buffer.from(text))

/** Valid from 2020 to 2099. */
export function makeSelfSigned(): { readonly key: string; readonly cert: string } {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('localhost')))))
  const altName = sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from('localhost')))))
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    name,
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(altName)),
  )
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bitString(sign('sha256', toBeSigned, pair.privateKey)))
  return {
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  }
}
