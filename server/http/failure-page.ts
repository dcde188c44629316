import type { ApiError } from '../errors.ts'
import { escapeHtml } from './escape-html.ts'
import type { Exchange } from './exchange.ts'

/** Failure pages use the style sheet of the documents, and no scripts. */
export const failurePageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  vary: 'Accept, Authorization',
}

/** Whether the client is a browser: it accepts HTML and sends no key. Clients of the API always get JSON. */
export function isForPerson({ request }: Exchange): boolean {
  const { accept, authorization } = request.headers
  if (accept === undefined || authorization !== undefined) return false
  return (
    (request.method === 'GET' || request.method === 'HEAD') && accept.includes('text/html') && !accept.includes('json')
  )
}

export function renderFailurePage({ status, code, message }: ApiError, docUrl: string, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${status} · Usher</title>
<link rel="icon" href="/docs/assets/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/site.css">
</head>
<body>
<main>
<h1>${titleOf(status)}</h1>
<p>${escapeHtml(message)}</p>
<p><a href="/app/">Dashboard</a> · <a href="/docs">Documents</a> · <a href="${escapeHtml(docUrl)}">About <code>${code}</code></a></p>
<footer>${status} · request ${requestId}</footer>
</main>
</body>
</html>
`
}

function titleOf(status: number): string {
  if (status === 401) return 'This needs an API key'
  if (status === 404) return 'There is nothing here'
  return status >= 500 ? 'That did not work' : 'That is not a valid request'
}
