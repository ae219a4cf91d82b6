// Makes certificates for tests of TLS, with just enough of X.509 (RFC 5280): a self-signed one for localhost, and those of
// an authority.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

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

const nameOf = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))
const altName = (hosts: readonly string[]) =>
  sequence(oid('551d11'), der(0x04, sequence(...hosts.map((host) => der(0x82, Buffer.from(host))))))
/** Marks the certificate of an authority, which may sign others. */
const mayIssue = () =>
  sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))

export interface Certified {
  readonly key: string
  readonly cert: string
}

interface Signed {
  readonly subject: string
  readonly issuer: string
  readonly extension: Buffer
  readonly publicKey: KeyObject
  readonly issuerKey: KeyObject
}

/** Valid from 2020 to 2099. */
function signed({ extension, issuer, issuerKey, publicKey, subject }: Signed): string {
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bitString(sign('sha256', toBeSigned, issuerKey)))
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`
}

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

export function makeSelfSigned(): Certified {
  const { privateKey, publicKey } = newPair()
  const name = { subject: 'localhost', issuer: 'localhost' }
  const cert = signed({ ...name, extension: altName(['localhost']), publicKey, issuerKey: privateKey })
  return { key: pemOf(privateKey), cert }
}

/** A certificate authority, as a company has one of its own. `issue`: a certificate for these hosts. */
export function makeAuthority(name = 'Company Root') {
  const authority = newPair()
  const issuedBy = { issuer: name, issuerKey: authority.privateKey }
  return {
    cert: signed({ ...issuedBy, subject: name, extension: mayIssue(), publicKey: authority.publicKey }),
    issue(...hosts: readonly string[]): Certified {
      const { privateKey, publicKey } = newPair()
      const subject = hosts[0] ?? ''
      return { key: pemOf(privateKey), cert: signed({ ...issuedBy, subject, extension: altName(hosts), publicKey }) }
    },
  }
}
