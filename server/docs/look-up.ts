import { type ErrorCode, errorCodes } from '../../contract/errors.ts'
import { type LimitName, limitMeanings, limits } from '../../contract/limits.ts'
import { plans } from '../../contract/plans.ts'
import { escapeHtml } from '../http/escape-html.ts'
import { code, inline, prose, table } from './html.ts'
import type { Content } from './layout.ts'
import { codeBlock } from './markdown.ts'

/** The remedy of an error, where its meaning does not already say it. */
const remedies: Partial<Record<ErrorCode, string>> = {
  invalid_params: 'Correct the fields that the message names. Nothing of the request was stored.',
  invalid_json: 'Send valid JSON, and all of it: a body that stops half way is refused too.',
  https_required: 'Use the https address. Inside a private network, see the setting `USHER_REQUIRE_HTTPS`.',
  feature_not_available:
    'Leave out the groups, or move the account to a plan that has them: `npx usher accounts set-plan`.',
  invalid_api_key:
    'Send `Authorization: Bearer <key>` with a key of this server that was not revoked. `npx usher keys create` makes one.',
  not_found: 'Check the id, and whether the key is the one of the right environment.',
  unknown_url: 'Compare the path with the reference. The API has no prefix such as `/v1`.',
  method_not_allowed: 'Use one of the methods in the `Allow` header.',
  not_acceptable: 'Send `Accept: application/json`, or no `Accept` header.',
  request_timeout: 'Send the request again, on a faster connection: headers have 10 s, a whole request 30 s.',
  payload_too_large: 'Split the request.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  idempotency_key_reused: 'Make a new key for each request, and send the same one only with repeats of it.',
  rate_limited:
    'Wait for the seconds in `Retry-After`, then continue. `RateLimit-Remaining` shows how many requests are left.',
  headers_too_large: 'Send fewer or shorter headers: 16 KB in all.',
  internal_error: 'Try again. When it stays, look for the `request_id` in the log of the server.',
  overloaded: 'Try again after `Retry-After`. When it happens often, see the guide on scaling.',
  unavailable: 'Try again after `Retry-After`: the server is starting, stopping, or waits for its database.',
}

export function errorsPage(): Content {
  const names = Object.keys(errorCodes) as ErrorCode[]
  const parts = names.map((name) => {
    const { status, meaning, example } = errorCodes[name]
    const remedy = remedies[name]
    return `<h2 id="${name}"><a class="anchor" href="#${name}"><code>${name}</code></a></h2>
<p>${status}. ${inline(meaning)}</p>${remedy === undefined ? '' : `<p>${inline(remedy)}</p>`}${codeBlock(JSON.stringify({ error: { code: name, message: example } }, null, 2), 'json')}`
  })
  const html = `<h1>Errors</h1>${prose('Every failure has the same body: an object with the key `error`. Decide by `code`, show or log `message`, and report `request_id`, which is also in the header `Request-Id` and in the log of the server. `doc_url` leads to the place on this page.')}${parts.join('')}`
  return { slug: 'errors', title: 'Errors', html, headings: names.map((id) => ({ level: 2, id, text: id })) }
}

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()

export function limitsPage(): Content {
  const rows = (Object.keys(limits) as LimitName[]).map((name) => [
    escapeHtml(words(name)),
    limits[name].toLocaleString('en'),
    `${inline(limitMeanings[name].description)} <span class="example">${escapeHtml(limitMeanings[name].example)}</span>`,
  ])
  const perPlan = Object.entries(plans).map(([name, { requestsPerMinute, groups }]) => [
    code(name),
    requestsPerMinute?.toLocaleString('en') ?? 'no limit',
    groups ? 'yes' : 'no',
  ])
  const html = `<h1>Limits</h1>${table(['Limit', 'Value', 'Meaning'], rows)}
<h2 id="plans"><a class="anchor" href="#plans">Plans</a></h2>
${prose('Requests per minute are counted per account: over all its environments, keys and nodes together. A request over the limit gets `rate_limited`.')}
${table(['Plan', 'Requests per minute', 'Groups'], perPlan)}`
  return { slug: 'limits', title: 'Limits', html, headings: [{ level: 2, id: 'plans', text: 'Plans' }] }
}
