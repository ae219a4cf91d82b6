// Tests that a person's file is read as editors and shells of any system write it, or refused with its encoding named.
import { expect, test } from 'vitest'
import { decodeText } from '../../../core/treasury/decode-text.ts'

const TEXT = '{"note":"Zürich, €5"}\r\n'
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()
const marked = (mark: readonly number[], bytes: Buffer) => Buffer.concat([Buffer.from(mark), bytes])

test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', marked([0xef, 0xbb, 0xbf], Buffer.from(TEXT))],
  ['UTF-16 as PowerShell writes it', marked([0xff, 0xfe], Buffer.from(TEXT, 'utf16le'))],
  ['big-endian UTF-16 with a mark', marked([0xfe, 0xff], bigEndian(TEXT))],
  ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
  ['big-endian UTF-16 without a mark', bigEndian(TEXT)],
])('%s is read, without its mark', (_encoding, bytes) => {
  expect(decodeText(bytes)).toBe(TEXT)
})

test.each<[string, Buffer, RegExp]>([
  ['Windows-1252', Buffer.from(TEXT.slice(0, 16), 'latin1'), /got another encoding, such as Windows-1252$/],
  ['UTF-32', marked([0xff, 0xfe, 0, 0], Buffer.from('{\0\0\0')), /got UTF-32$/],
  ['a cut-off UTF-16', marked([0xff, 0xfe], Buffer.from('{}x', 'utf16le').subarray(0, 5)), /got a part of UTF-16$/],
])('%s is refused by its name', (_encoding, bytes, message) => {
  expect(() => decodeText(bytes)).toThrow(message)
})

test.each([[''], ['{'], ['5']])('the short text %j is read', (text) => {
  expect(decodeText(Buffer.from(text))).toBe(text)
})
