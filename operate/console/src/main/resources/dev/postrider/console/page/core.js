// What all pages share: the API, formats, and small parts. Text from the server becomes text nodes only, never markup.
import { html, useEffect, useRef, useState } from './preact.js';

class ApiError extends Error {
  constructor(status, message, body) { super(message); this.status = status; this.body = body; }
}

export const token = {
  get: () => sessionStorage.getItem('postrider-token') || '',
  set: value => value ? sessionStorage.setItem('postrider-token', value) : sessionStorage.removeItem('postrider-token'),
};

// The address that the command line prints brings a token along; it must not stay in the history.
function takeToken() {
  const given = location.hash.match(/^#token=(.+)$/);
  if (given) { token.set(decodeURIComponent(given[1])); history.replaceState(null, '', location.pathname); }
  return given;
}
takeToken();
addEventListener('hashchange', () => takeToken() && location.reload());

const PATIENCE = 15000;
// What a framework around the console wants to see with each change.
const csrf = {};

async function call(path, options) {
  const headers = { ...options.headers };
  if (token.get()) headers.Authorization = 'Bearer ' + token.get();
  let response;
  try {
    response = await fetch('api/' + path, { ...options, headers, signal: AbortSignal.timeout(PATIENCE), cache: 'no-store' });
  } catch (lost) {
    throw new ApiError(0, 'The console does not answer. It may have stopped, or the network is down.');
  }
  const wanted = response.headers.get('Postrider-Csrf-Header');
  if (wanted) csrf[wanted] = response.headers.get('Postrider-Csrf-Token');
  const body = await response.json().catch(() => { throw new ApiError(response.status, 'Something else has answered. Sign in to the application and load this page again.'); });
  if (!response.ok) throw new ApiError(response.status, body.error || 'The console answered ' + response.status, body);
  return body;
}

export const get = path => call(path, { method: 'GET' });
export const post = (path, body) => call(path, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'Postrider-Console': '1', ...csrf },
  body: JSON.stringify(body || {}),
});

// A change, and its dry run, which tells the number that the confirmation names.
export const change = (path, body, number) => ({ count: () => post(path, { ...body, dry_run: true }).then(number), run: () => post(path, body) });

export const enc = encodeURIComponent;
export const muted = text => html`<span class="muted">${text}</span>`;
export const plain = word => (word || '').toLowerCase().replaceAll('_', ' ');
export const title = word => word[0].toUpperCase() + word.slice(1);
export const under = (outbox, rest) => 'outboxes/' + enc(outbox) + (rest ? '/' + rest : '');

// Addresses: #/outbox/page/rest?name=value
export function route() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [outbox = '', page = '', ...rest] = path.split('/').map(decodeURIComponent);
  return { outbox, page, rest, query: Object.fromEntries(new URLSearchParams(query || '')) };
}
export function link(outbox, page, rest, query) {
  const given = Object.entries(query || {}).filter(([, value]) => (value ?? '') !== '');
  const search = new URLSearchParams(given).toString();
  return '#/' + [outbox, page, ...(rest || [])].map(enc).join('/') + (search ? '?' + search : '');
}

// Reads when something it depends on changes. Keeps showing the last answer while the next one is read.
export function useRead(path, dependencies = []) {
  const [state, set] = useState({ loading: true });
  const again = useRef(0);
  const load = () => {
    const mine = ++again.current;
    if (!path) return;
    get(path).then(
      data => mine === again.current && set({ data, path }),
      error => mine === again.current && set(old => ({ ...(old.path === path ? old : {}), error, path })));
  };
  useEffect(() => { load(); return () => { again.current++; }; }, [path, ...dependencies]);
  return { ...(state.path && state.path !== path ? { loading: true } : state), reload: load };
}

const words = new Intl.NumberFormat('en');
export const number = value => words.format(value ?? 0);
export const plural = (count, word) => number(count) + ' ' + word + (count === 1 ? '' : 's');

export function span(ms) {
  if (ms < 0) ms = 0;
  if (ms < 1000) return Math.round(ms) + ' ms';
  const s = Math.floor(ms / 1000), two = (unit, name, next, nextName) => Math.floor(s / unit) + ' ' + name + (s % unit < next ? '' : ' ' + Math.floor(s % unit / next) + ' ' + nextName);
  if (s < 60) return (s < 10 ? (ms / 1000).toFixed(1) : s) + ' s';
  return s < 3600 ? two(60, 'min', 1, 's') : s < 86400 ? two(3600, 'h', 60, 'min') : two(86400, 'd', 3600, 'h');
}

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
export function Time({ at, short }) {
  if (!at) return muted('–');
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  return html`<time dateTime=${at} title=${date.toISOString().replace('T', ' ').replace('Z', ' UTC')}>${(short && today ? clock : local).format(date)}</time>`;
}
export const Ago = ({ at, now }) => at
  ? html`<time dateTime=${at} title=${new Date(at).toISOString()}>${span(new Date(now || Date.now()) - new Date(at))} ago</time>`
  : muted('–');

export const Id = ({ id }) => html`<code class="id" title=${id}>${id.length > 20 ? id.slice(0, 8) + '…' + id.slice(-6) : id}</code>`;
export const Badge = ({ kind, children }) => html`<span class=${'badge ' + kind}>${children}</span>`;
export const Empty = ({ title, children }) => html`<div class="empty"><p class="empty-title">${title}</p><p>${children}</p></div>`;
const Problem = ({ error, reload }) => html`<div class="notice bad" role="alert"><strong>${error.message}</strong>
  ${reload && html` <button onClick=${reload}>Try again</button>`}</div>`;

export function Page({ read, children }) {
  if (read.error && !read.data) return html`<${Problem} error=${read.error} reload=${read.reload} />`;
  if (!read.data) return html`<p class="muted" aria-busy="true">Loading…</p>`;
  return html`${read.error && html`<${Problem} error=${read.error} reload=${read.reload} />`}${children(read.data)}`;
}

// A table that a phone can scroll. Cells are parts or texts.
export function Table({ label, head, rows, numbers = [] }) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table>
    <thead><tr>${head.map((title, i) => html`<th scope="col" class=${numbers.includes(i) ? 'num' : ''}>${title || html`<span class="sr-only">Actions</span>`}</th>`)}</tr></thead>
    <tbody>${rows.map(cells => html`<tr class=${cells.className || ''}>${cells.map((cell, i) => html`<td class=${numbers.includes(i) ? 'num' : ''}>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

// Rates of the last hour as two lines, with the same figures as a table for those who do not see them.
export function RateChart({ history }) {
  if (!(history?.length > 1)) return html`<p class="muted">No rates are known yet.</p>`;
  const w = 600, h = 120, now = Date.parse(history.at(-1).at);
  const first = Math.min(Date.parse(history[0].at), now - 600000);
  const top = Math.max(1, ...history.map(p => Math.max(p.in, p.out)));
  const x = p => ((new Date(p.at) - first) / Math.max(1, now - first)) * (w - 2) + 1;
  const y = v => h - 2 - (v / top) * (h - 6);
  const points = side => history.map(p => x(p).toFixed(1) + ',' + y(p[side]).toFixed(1)).join(' ');
  const every = Math.max(1, Math.floor(history.length / 12));
  return html`<figure class="chart">
    <svg viewBox=${`0 0 ${w} ${h}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <line x1="0" x2=${w} y1=${h - 1.5} y2=${h - 1.5} class="axis" />
      <polyline points=${points('in')} class="line-in" /><polyline points=${points('out')} class="line-out" />
    </svg>
    <figcaption><span class="key-in">enqueued</span> <span class="key-out">delivered</span>
      <span class="muted">0 to ${number(top)} a second, last ${span(now - first)}</span></figcaption>
    <table class="sr-only"><caption>Messages a second</caption><thead><tr><th scope="col">Time</th><th scope="col">Enqueued</th><th scope="col">Delivered</th></tr></thead>
      <tbody>${history.filter((p, i) => !(i % every)).map(p => html`<tr><td>${new Date(p.at).toLocaleTimeString()}</td><td>${p.in}</td><td>${p.out}</td></tr>`)}</tbody></table>
  </figure>`;
}

// Shows a question in the one dialog of the page.
export let ask;
export const setAsk = show => { ask = show; };

// Asks before something is changed, and names what. Escape and the button leave it.
export function Confirm({ ask, close }) {
  const ref = useRef();
  const [state, set] = useState({});
  const [rate, setRate] = useState('');
  useEffect(() => {
    const dialog = ref.current;
    dialog.showModal();
    ask.count().then(count => set({ count }), error => set({ error }));
    // Closing gives the focus back to where it was.
    return () => dialog.close();
  }, []);
  const run = event => {
    event.preventDefault();
    set({ ...state, running: true });
    ask.run(state.count, rate).then(() => close(true), error => set({ error, count: error.body?.matching ?? state.count }));
  };
  const counted = state.count !== undefined;
  return html`<dialog ref=${ref} onCancel=${() => close(false)} aria-labelledby="confirm-title">
    <form onSubmit=${run}>
      <h2 id="confirm-title">${ask.title}</h2>
      <p>${counted ? ask.text(state.count) : 'Counting…'}</p>
      ${ask.rate && state.count > 1 && html`<label>At most <input type="number" min="1" max="10000" value=${rate} onInput=${e => setRate(e.target.value)} placeholder="no limit" /> a second</label>`}
      ${state.error && html`<p class="bad-text" role="alert">${state.error.message}</p>`}
      <div class="buttons"><button type="button" onClick=${() => close(false)}>Leave it</button>
        <button class=${ask.danger ? 'danger' : 'primary'} disabled=${!counted || state.running || (!ask.anyCount && state.count === 0)}>${ask.button(state.count)}</button></div>
    </form></dialog>`;
}
