// Messages, one message, one key.
import { html, useEffect, useRef, useState } from './preact.js';
import { Ago, Badge, ask, Empty, Id, Page, Table, Time, change, enc, get, link, muted, number, under, plain, plural, span, title, token, useRead } from './core.js';
import { DeadButtons } from './pages.js';

const PLACES = [['hot', 'Waiting'], ['held', 'Held'], ['delayed', 'Delayed'], ['dead', 'Dead'], ['sent', 'Delivered']];
const names = Object.fromEntries(PLACES);
const kinds = { hot: 'info', held: 'warn', delayed: 'info', dead: 'bad', sent: 'good' };
const explain = {
  hot: 'Committed and not yet tried. Where relays keep up, this list is nearly always empty.',
  held: 'Tried without success, or behind one that was. Each head has a time for its next attempt.',
  delayed: 'With a due time in the future.', dead: 'Given up; retry or discard them.',
  sent: 'The audit trail keeps what was delivered. This outbox has none, or nothing was delivered yet.',
};
const hasError = place => place === 'held' || place === 'dead';
const filters = place => ['topic', 'key', 'type', 'id', 'destination', ...(place === 'dead' ? ['reason'] : []), ...(hasError(place) ? ['error'] : []), 'before'];
const before = { dead: 'Given up', sent: 'Delivered' };
// A time of the address as the field for it wants it: local, without a zone.
const localTime = text => { const at = new Date(text); return isNaN(at) ? '' : new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 19); };

const messageLink = (outbox, m) => link(outbox, 'message', [m.id], { in: m.in, lane: m.lane, seq: m.seq });
const KeyLink = ({ outbox, m }) => m.key !== undefined ? html`<a href=${link(outbox, 'key', [m.key])}>${m.key}</a>` : muted('no key');

function standing(m, now) {
  const s = m.state;
  if (m.in === 'held') return s.blocked ? html`<${Badge} kind="bad">blocked<//>` : s.next_attempt_at ? 'next attempt ' + until(s.next_attempt_at, now) : muted('waits behind its key');
  if (m.in === 'dead') return html`<${Badge} kind="bad">${plain(s.reason)}<//>${s.retry_requested ? html` <${Badge} kind="info">retry requested<//>` : ''}`;
  if (m.in === 'delayed') return 'due ' + until(s.due_at, now);
  if (m.in === 'sent') return html`<${Time} at=${s.delivered_at} short />`;
  return html`<${Ago} at=${m.created_at} now=${now} />`;
}
const until = (at, now) => { const ms = new Date(at) - new Date(now); return ms > 0 ? 'in ' + span(ms) : 'now'; };

export function Messages({ outbox, query, can }) {
  const place = names[query.in] ? query.in : 'hot';
  const given = Object.fromEntries(Object.entries(query).filter(([name]) => filters(place).includes(name)));
  const [picked, pick] = useState([]), any = Object.keys(given).length > 0;
  useEffect(() => pick([]), [location.hash]);
  const search = new URLSearchParams({ in: place, ...given, ...(query.after ? { after: query.after } : {}) });
  const read = useRead(under(outbox, 'messages?' + search));
  const to = query => link(outbox, 'messages', [], { in: place, ...query });
  const done = () => { pick([]); read.reload(); };
  const box = (label, ids) => html`<input type="checkbox" aria-label=${label} checked=${ids.every(id => picked.includes(id))} onChange=${event => pick(event.target.checked ? [...new Set([...picked, ...ids])] : picked.filter(id => !ids.includes(id)))} />`;
  const picks = (cell, cells) => can && place === 'dead' ? [cell(), ...cells] : cells;
  const filter = event => {
    event.preventDefault();
    const data = Object.fromEntries(new FormData(event.target));
    if (data.before) data.before = new Date(data.before).toISOString();
    location.hash = to(data);
  };
  return html`<h1>Messages</h1>
    <nav class="choice" aria-label="Which messages">${PLACES.map(([value, name]) => html`<a href=${to({ in: value })} aria-current=${value === place ? 'page' : null}>${name}</a>`)}</nav>
    <form class="filters" onSubmit=${filter} key=${location.hash}>${filters(place).map(name => html`<label>${name === 'before' ? (before[place] || 'Committed') + ' before' : title(name)}
      <input name=${name} ...${name === 'before' ? { type: 'datetime-local', step: 1, defaultValue: localTime(given.before) } : { type: 'search', defaultValue: given[name] || '' }} autocomplete="off" /></label>`)}
      <button class="primary">Find</button>${any && html`<a href=${to({})}>Clear</a>`}</form>
    ${can && place === 'dead' && html`<div class="row-buttons">${picked.length > 0 && html`<${DeadButtons} outbox=${outbox} what=${plural(picked.length, 'selected dead letter')} which=${' ' + picked.length + ' selected'} done=${done} filter=${{ ids: picked }} />`}
      <${DeadButtons} outbox=${outbox} what="all that match" which=" all that match" done=${done} filter=${any ? { ...given, error: undefined, error_contains: given.error } : { all: true }} /></div>`}
    <section><${Page} read=${read}>${data => html`
      ${data.is_partial && html`<div class="notice info">No index serves this filter: the ${number(data.looked_at)} messages from here were looked at. <a href=${to({ ...given, after: data.next })}>Look at the next ones</a></div>`}
      ${data.messages.length === 0 ? html`<${Empty} title="No message here">${any ? 'None matches the filter.' : explain[place]}<//>`
        : html`<${Table} label="Messages" head=${picks(() => box('Select this page', data.messages.map(m => m.id)), ['Message', 'Topic', 'Key', 'Type', place === 'sent' ? 'Delivered' : place === 'hot' ? 'Age' : 'State', ...(hasError(place) ? ['Last error'] : [])])}
          rows=${data.messages.map(m => picks(() => box('Select ' + m.id, [m.id]), [html`<a href=${messageLink(outbox, m)}><${Id} id=${m.id} /></a>`, m.topic, html`<${KeyLink} outbox=${outbox} m=${m} />`, m.type, standing(m, data.now), ...(hasError(place) ? [m.state.last_error || ''] : [])]))} />`}
      ${data.next && !data.is_partial && html`<p><a href=${to({ ...given, after: data.next })}>Next page</a></p>`}`}<//></section>`;
}

// Lays JSON out without reading its numbers, which a browser would round.
function pretty(text) {
  let out = '', depth = 0, inText = false;
  const line = () => '\n' + '  '.repeat(depth);
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inText) { out += c; if (c === '\\') out += text[++i]; else if (c === '"') inText = false; continue; }
    if (c === '"') { inText = true; out += c; } else if (c === '{' || c === '[') {
      const close = text.slice(i + 1).match(/^\s*[}\]]/);
      if (close) { out += c + close[0].trim(); i += close[0].length; } else { depth++; out += c + line(); }
    } else if (c === '}' || c === ']') { depth--; out += line() + c; } else if (c === ',') out += c + line(); else if (c === ':') out += ': '; else if (!/\s/.test(c)) out += c;
  }
  return out;
}
const isJson = text => { try { JSON.parse(text); return true; } catch (no) { return false; } };
function hex(base64) {
  const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0)).slice(0, 4096);
  const lines = [];
  for (let i = 0; i < bytes.length; i += 16) {
    const row = [...bytes.slice(i, i + 16)];
    lines.push(i.toString(16).padStart(6, '0') + '  ' + row.map(b => b.toString(16).padStart(2, '0')).join(' ').padEnd(48) + ' ' + row.map(b => b > 31 && b < 127 ? String.fromCharCode(b) : '.').join(''));
  }
  return lines.join('\n');
}

function Payload({ m }) {
  const modes = [...(m.payload_text !== undefined && isJson(m.payload_text) ? [m.payload_is_protobuf ? 'Protobuf' : 'JSON'] : []), ...(m.payload_text !== undefined && !m.payload_is_protobuf ? ['Text'] : []), ...(m.payload_base64 !== undefined ? ['Hex'] : [])];
  const [mode, set] = useState(modes[0]);
  if (m.payload_hidden) return html`<p class="muted">${m.payload_hidden}.</p>`;
  return html`<div class="row-buttons">${modes.map(one => html`<button class="small" aria-pressed=${one === mode} onClick=${() => set(one)}>${one}</button>`)} <span class="muted">${number(m.payload_bytes)} bytes of ${m.content_type}${m.payload_is_masked ? ', partly masked' : ''}</span></div>
    <pre tabindex="0" aria-label="Payload">${mode === 'JSON' || mode === 'Protobuf' ? pretty(m.payload_text) : mode === 'Text' ? m.payload_text : hex(m.payload_base64)}</pre>`;
}

const shell = text => "'" + text.replaceAll("'", "'\\''") + "'";

// Over plain HTTP a browser gives no clipboard: the text is shown, to be copied by hand.
function Copy({ text, label }) {
  const [state, set] = useState();
  const copy = async () => {
    try { await navigator.clipboard.writeText(text); set(label); setTimeout(set, 2000); } catch (none) { set(text); }
  };
  return html`<button class="small" onClick=${copy}>${state === label ? 'Copied' : label}</button>${state === text && html`<input class="wide" readonly aria-label=${label} value=${text} ref=${field => field?.select()} />`}`;
}

export function Message({ outbox, rest, query, can, me }) {
  const search = new URLSearchParams(Object.entries(query).filter(([name]) => ['in', 'lane', 'seq'].includes(name)));
  const read = useRead(under(outbox, 'messages/' + enc(rest[0]) + '?' + search));
  return html`<${Page} read=${read}>${m => {
    const s = m.state, trace = m.headers.traceparent?.split('-')[1];
    const failed = m.failures.map(one => ['Attempt failed', one.at, one.error]);
    const timeline = [['Committed', m.created_at], ...(failed.length ? failed : [['First attempt failed', s.first_failed_at]]), ['Next attempt', s.next_attempt_at], ['Due', s.due_at], ['Given up', s.died_at], ['Delivered', s.delivered_at]].filter(([, at]) => at).sort((a, b) => a[1] < b[1] ? -1 : 1);
    return html`<div class="panel-head"><h1>${m.type}</h1><${Badge} kind=${kinds[m.in]}>${names[m.in]}<//></div>
      <p class="lead"><code class="wrap">${m.id}</code></p>
      <div class="grid"><section><h2>Message</h2><dl class="facts">
        <dt>Topic</dt><dd>${m.topic}</dd><dt>Key</dt><dd><${KeyLink} outbox=${outbox} m=${m} /></dd><dt>Lane, seq</dt><dd>${m.lane}, ${m.seq}</dd>
        ${s.destination && html`<dt>Destination</dt><dd>${s.destination}</dd>`}${s.attempts !== undefined && html`<dt>Failed attempts</dt><dd>${s.attempts}</dd>`}
        ${s.reason && html`<dt>Reason</dt><dd>${plain(s.reason)}</dd>`}${s.last_error && html`<dt>Last error</dt><dd class="bad-text">${s.last_error}</dd>`}
        ${trace && html`<dt>Trace</dt><dd>${me.trace_link ? html`<a rel="noreferrer" target="_blank" href=${me.trace_link.replace('{trace}', enc(trace))}>${trace}</a>` : trace}</dd>`}</dl></section>
      <section><h2>Timeline</h2><${Table} label="Timeline" head=${['What', 'When', 'From now']} rows=${timeline.map(([what, at, error]) => [html`${what}${error && html`<div class="bad-text">${error}</div>`}`, html`<${Time} at=${at} />`, new Date(at) > new Date(m.now) ? until(at, m.now) : html`<${Ago} at=${at} now=${m.now} />`])} />
        ${s.attempts > failed.length && html`<p class="muted">Only the latest failed attempts are kept.</p>`}
        ${can && (m.in === 'dead' ? html`<${DeadButtons} outbox=${outbox} filter=${{ id: m.id }} what="this message" done=${read.reload} />` : (s.blocked || m.in === 'held' && s.next_attempt_at) && html`<${HeldButtons} outbox=${outbox} m=${m} done=${read.reload} retry=${!s.blocked} />`)}
        <p class="row-buttons"><${Copy} label="Copy id" text=${m.id} /><${Copy} label="Copy as command" text=${'postrider ' + (m.in === 'dead' ? 'dead retry --id ' : 'message ') + shell(m.id) + ' ' + m.cli_options} />
          <${Copy} label="Copy as curl" text=${'curl ' + (token.get() ? '-H "Authorization: Bearer $TOKEN" ' : '') + shell(new URL('api/' + under(outbox, 'messages/' + enc(m.id)), location.href.split('#')[0]).href)} /></p></section></div>
      <section><h2>Headers</h2>${Object.keys(m.headers).length ? html`<dl class="facts">${Object.entries(m.headers).map(([name, value]) => html`<dt class="mono">${name}</dt><dd class="mono">${value}</dd>`)}</dl>` : html`<p class="muted">None.</p>`}</section>
      <section><h2>Payload</h2><${Payload} m=${m} key=${m.id} /></section>`;
  }}<//>`;
}

const standings = {
  DELIVERED: ['good', () => 'delivered'], GIVEN_UP: ['bad', () => 'given up; the key moved on'], RETRY_REQUESTED: ['info', () => 'retry requested: goes ahead of what is held'],
  BLOCKED: ['bad', () => 'blocked: holds the key back until you release it'], RETRIED: ['warn', (step, now) => 'holds the key back; tried again ' + until(step.until, now)],
  BEHIND: ['', step => 'waits for ' + (step.waits_for_seq ? '#' + step.waits_for_seq : 'an earlier one')], NEXT: ['info', () => 'next: goes as soon as a relay fetches it'],
  DELAYED: ['info', (step, now) => 'enters the line ' + until(step.until, now)],
};

// For the message that holds its key back.
function HeldButtons({ outbox, m, done, retry }) {
  const act = (verb, text) => () => ask({ title: title(verb) + ' message #' + m.seq + '?', danger: verb === 'discard', text, done, button: () => title(verb) + ' 1',
    ...change(under(outbox, 'held/' + enc(m.id) + '/' + verb), { lane: m.lane, seq: m.seq }, answer => answer.matching) });
  return html`<div class="row-buttons">${retry && html`<button onClick=${act('retry', n => n ? '1 message is tried at once instead of at its time. Those behind it follow if it is delivered.' : 'It is not held any more.')}>Retry now</button>`}
    <button onClick=${act('discard', n => n ? '1 message will be deleted for good, and never delivered. The next one of its key goes on.' : 'It is not held any more.')}>Discard it</button></div>`;
}

export function Key({ outbox, rest, can }) {
  const path = under(outbox, 'key?key=' + enc(rest[0])), read = useRead(path), [found, find] = useState({}), here = useRef(path);
  const again = () => { find({}); read.reload(); };
  useEffect(() => { here.current = path; find({}); return () => { here.current = ''; }; }, [path]);
  // Goes on through the waiting messages until there is one of this key.
  const further = async line => {
    for (let looks = 2; line.next && here.current === path; looks++) find({ line: line = await get(path + '&after=' + enc(line.next)), looks });
  };
  return html`<${Page} read=${read}>${first => {
    const line = found.line || first, dead = line.steps.some(step => step.in === 'dead');
    const is = (...standings) => line.steps.filter(step => standings.includes(step.standing)), heads = is('BLOCKED', 'RETRIED', 'NEXT');
    const at = head => heads.length > 1 && head.state.destination ? ' at ' + head.state.destination : '';
    return html`<h1>Key <span class="mono">${line.key}</span></h1><p class="lead">Everything of this key in its order, in all tables: what went, what goes next, and what waits for whom.</p>
      ${line.buried_at && html`<div class="notice bad">This key was given up with everything behind it, <${Time} at=${line.buried_at} />. Later messages of it become dead letters too, until those are retried or discarded.</div>`}
      ${is('RETRIED').map(head => html`<div class="notice" key=${head.id}><strong>Message #${head.seq} holds this key back${at(head)}.</strong><p>It failed ${head.state.attempts === 1 ? 'once' : number(head.state.attempts) + ' times'} and is tried again ${until(head.until, line.now)}. ${head.state.last_error}</p>${can && html`<${HeldButtons} outbox=${outbox} m=${head} done=${again} retry />`}</div>`)}
      ${is('BLOCKED').map(head => html`<div class="notice bad" key=${head.id}><strong>Message #${head.seq} blocks this key${at(head)} and waits for you.</strong><p>${head.state.last_error}</p>${can && html`<div class="row-buttons"><button onClick=${() => ask({ title: 'Release this key?',
          ...change(under(outbox, 'unblock'), { key: line.key }, answer => answer.matching), text: count => plural(count, 'blocked message') + ' will be tried at once, with attempts counted from zero.', button: () => 'Release', done: again })}>Release</button><${HeldButtons} outbox=${outbox} m=${head} done=${again} /></div>`}</div>`)}
      ${line.next && html`<div class="notice info">None of the ${number((found.looks || 1) * line.looked_at)} waiting messages looked at is of this key. ${found.looks ? 'Looking further…' : html`<button onClick=${() => further(line).catch(again)}>Look further</button>`}</div>`}
      <section>${line.steps.length === 0 ? html`<${Empty} title=${'Nothing of this key ' + (line.is_partial ? 'was found so far' : 'is here')}>${line.is_partial ? 'Not every message was looked at.' : 'Its messages were delivered, or there never were any. Delivered messages are shown where the outbox keeps an audit trail.'}<//>`
        : html`<${Table} label="Messages of the key" head=${['Seq', 'Where', 'What happens', 'Message', 'Type', 'Topic', 'Committed']} numbers=${[0]} rows=${line.steps.map(step => {
            const [kind, text] = standings[step.standing];
            const row = [step.in === 'delayed' ? '–' : step.seq, html`<${Badge} kind=${kinds[step.in]}>${names[step.in]}<//>`,
              html`<span class=${kind === 'bad' ? 'bad-text' : ''}>${text(step, line.now)}</span>`, html`<a href=${messageLink(outbox, step)}><${Id} id=${step.id} /></a>`, step.type, step.topic, html`<${Time} at=${step.created_at} short />`];
            row.className = heads.includes(step) ? 'head-of-line' : step.in === 'sent' ? 'faint' : '';
            return row;
          })} />`}${line.partial_in.length > 0 && html`<p class="muted">There may be more: ${line.partial_in.map(place => html`<a href=${link(outbox, 'messages', [], { in: place, key: line.key })}>${names[place]}</a> `)}</p>`}</section>
      ${dead && can && html`<section><h2>Dead letters of this key</h2><${DeadButtons} outbox=${outbox} filter=${{ key: line.key }} what="the dead letters of this key" done=${again} /></section>`}`;
  }}<//>`;
}
