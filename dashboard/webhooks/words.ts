/** billing.kestrel.example */
export function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

/** billing.kestrel.example/hooks/usher */
export function placeOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
