// A page may cut long figures, and then a switch shows every digit.
import { expect, test } from 'vitest'
import { digitsSwitch, figure, said } from '../../../../views/html/shown-figures.ts'

test('a sentence cuts its long amounts to cents or six digits, and keeps every digit for the switch', () => {
  expect(said('EUR is 26408.568123 USD above').text).toBe(
    '<span class="digits" title="EUR is 26\u202f408.568123 USD above"><span class="few">EUR is 26\u202f408.56… USD above</span><span class="all">EUR is 26\u202f408.568123 USD above</span></span>',
  )
  expect(said('buy 0.0123456 BTC with EUR').text).toBe('buy 0.0123456 BTC with EUR')
})

test('a page has the switch only where it leaves digits out', () => {
  expect(digitsSwitch(figure('1.5', 'cents'))).toBe(false)
  expect(digitsSwitch(figure('1.505', 'cents'))).not.toBe(false)
  expect(digitsSwitch('class="digits"')).toBe(false)
})
