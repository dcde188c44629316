import { describe, expect, it } from 'vitest'
import { failureCodeOf } from '../../contract/delivery-failures.ts'
import { whyOf } from './why.ts'

const url = 'https://billing.example/hooks'
const failed = (status: number | null, failure: string | null) => ({
  last_status: status,
  last_failure: failure,
  last_failure_code: failureCodeOf(failure),
})

describe('why a delivery failed', () => {
  it.each([
    [503, null, 'Your server answered 503 Service Unavailable.'],
    [401, null, 'Your server answered 401.'],
    [410, null, 'Your server answered 410.'],
    [302, null, 'Your server answered 302, a redirect.'],
    [429, null, 'Your server answered 429.'],
    [null, 'could not resolve the name', 'The name billing.example could not be resolved.'],
    [null, 'connection refused', 'Your server refused the connection.'],
    [null, 'the connection timed out', 'The connection timed out.'],
    [null, 'the certificate is not valid: expired', 'The certificate of your server is not valid.'],
    [null, 'the TLS handshake failed', 'The TLS handshake failed.'],
    [null, 'no complete response within 15 s', 'Your server did not answer in time.'],
    [null, 'something new', 'Something new.'],
  ])('status %s, %s: %s', (status, failure, title) => {
    expect(whyOf(url, failed(status, failure)).title).toBe(title)
  })

  it('names the port that nothing listens on', () => {
    const why = whyOf('http://127.0.0.1:4000/', failed(null, 'connection refused'))
    expect(why.advice).toContain('port 4000')
  })
})
