/** How a page loads the script, by the way the application is built. */
export function pageSnippets(url: string, token: string): Record<string, string> {
  const start = `usher.init('${token}', { endpoint: '${url}' })`
  return {
    Script: `<script src="${url}/sdk/usher.js"></script>\n<script src="/usher-start.js"></script>\n\n// usher-start.js\nusher.init('${token}')`,
    npm: `import usher from '@usher/browser'\n\n${start}`,
    React: `import usher from '@usher/browser'\nimport { useEffect } from 'react'\n\nexport function Usher({ user }) {\n  useEffect(() => {\n    ${start}\n    usher.identify(user.id, { name: user.name }, { signature: user.usherSignature })\n  }, [user])\n  return null\n}`,
    'Next.js': `'use client'\nimport usher from '@usher/browser'\nimport { useEffect } from 'react'\n\nexport default function Usher({ user }) {\n  useEffect(() => {\n    ${start}\n    usher.identify(user.id, {}, { signature: user.usherSignature })\n  }, [user])\n  return null\n}`,
    Vue: `import usher from '@usher/browser'\nimport { onMounted } from 'vue'\n\nonMounted(() => {\n  ${start}\n})`,
  }
}

/** Who it is: in the page, and the signature on the server. */
export const identitySnippets: Record<string, string> = {
  Page: `usher.identify('u_1', { name: 'Ada' }, { signature })\nusher.group('g_1', {}, { membership: { role: 'owner' } })`,
  Node: `import { createHmac } from 'node:crypto'\n\nconst signature = createHmac('sha256', process.env.USHER_IDENTITY_SECRET).update(user.id).digest('hex')`,
  Python: `import hashlib, hmac, os\n\nsecret = os.environ["USHER_IDENTITY_SECRET"].encode()\nsignature = hmac.new(secret, user.id.encode(), hashlib.sha256).hexdigest()`,
  Ruby: `signature = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("USHER_IDENTITY_SECRET"), user.id)`,
  Go: `mac := hmac.New(sha256.New, []byte(os.Getenv("USHER_IDENTITY_SECRET")))\nmac.Write([]byte(user.ID))\nsignature := hex.EncodeToString(mac.Sum(nil))`,
}
