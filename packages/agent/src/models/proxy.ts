/** Which proxy the environment names for an address, read as curl and others read it. */

type Environment = Readonly<Record<string, string | undefined>>;

export type ProxyChoice =
  | { readonly type: 'none' }
  | { readonly type: 'proxy'; readonly proxy: URL }
  /** `message` says which variable can't be used, without its value: that may hold a password. */
  | { readonly type: 'unusable'; readonly message: string };

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * `HTTPS_PROXY` or `HTTP_PROXY` by the address's own scheme, else `ALL_PROXY`; names in small letters go first. Addresses of
 * this machine and what `NO_PROXY` names are asked directly.
 */
export function proxyOf(address: string, env: Environment): ProxyChoice {
  const url = new URL(address);
  const names = [url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY'].flatMap((name) => [name.toLowerCase(), name]);
  const name = names.find((one) => (env[one] ?? '').trim() !== '');
  if (name === undefined || LOOPBACK.test(url.hostname) || isLeftOut(url, env['no_proxy'] ?? env['NO_PROXY'] ?? ''))
    return { type: 'none' };
  const value = (env[name] ?? '').trim();
  const full = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(full) && /^https?:$/.test(new URL(full).protocol)) return { type: 'proxy', proxy: new URL(full) };
  return {
    type: 'unusable',
    message: `${name} holds no address of a proxy that begins with http:// or https://: other kinds are not known here.`,
  };
}

/** `*`, hosts with all below them, each with a port if need be. */
function isLeftOut(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some((entry) => {
    const [, host = '', itsPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (host === '' || (itsPort !== undefined && itsPort !== port)) return false;
    return host === '*' || url.hostname === host || url.hostname.endsWith(`.${host}`);
  });
}

/** What sends requests; nothing of it is loaded where there is no proxy. */
export async function fetchOf(proxy: URL | undefined): Promise<typeof fetch> {
  return proxy === undefined ? fetch : (await import('./proxy-fetch.js')).fetchThrough(proxy);
}
