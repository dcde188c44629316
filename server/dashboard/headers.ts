/** What every answer of the dashboard says to the browser. */

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Of the API: an answer is data alone, is for its reader alone, and is never kept. */
export const apiHeaders = {
  ...always,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  vary: 'Cookie',
}

/** Of the pages: script, style, fonts and images are files of our own; nothing inline, nothing from another host. */
export const pageHeaders = {
  ...always,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // The worker that holds one live stream for all tabs.
    "worker-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
}
