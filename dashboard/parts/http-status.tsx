/** 2xx is quiet, 3xx and 4xx are amber, 5xx is red. */
export function HttpStatus({ code }: { code: number }) {
  const tone = code >= 500 ? 's5' : code >= 300 ? 's4' : 's2'
  return <span className={`http ${tone}`}>{code}</span>
}
