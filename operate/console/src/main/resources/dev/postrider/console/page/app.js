// The frame: who looks, which outbox, which page, and whether the console still answers.
import { html, render, useEffect, useState } from './preact.js';
import { Confirm, get, link, route, setAsk, title, token } from './core.js';
import { follow } from './follow.js';
import { Dead, Destinations, Lanes, Operations, Outboxes, Overview } from './pages.js';
import { Key, Message, Messages } from './messages.js';

const PAGES = ['overview', 'destinations', 'lanes', 'messages', 'dead', 'operations'];
const VIEWS = { overview: Overview, destinations: Destinations, lanes: Lanes, messages: Messages, message: Message, key: Key, dead: Dead, operations: Operations };
const PARENT = { message: 'messages', key: 'messages' };

// One stream for all tabs of this browser where it can; else each tab asks by itself. Returns how to ask again, and how to end it.
function watch(interval, tell) {
  const shown = new AbortController(), mine = token.get();
  const visible = () => !document.hidden && !shown.signal.aborted;
  let say = follow(mine, () => visible() && interval, tell, Infinity);
  if (window.SharedWorker) {
    const port = new SharedWorker('live.js', { type: 'module' }).port;
    port.onmessage = event => tell(event.data);
    say = () => port.postMessage({ visible: visible(), token: mine, interval });
    addEventListener('pagehide', () => port.postMessage({}), shown);
    addEventListener('pageshow', say, shown);
  }
  document.addEventListener('visibilitychange', say, shown);
  const again = setInterval(say, 5000);
  say();
  return [say, () => { shown.abort(); clearInterval(again); say(); }];
}

function Login({ error, enter }) {
  const [value, set] = useState('');
  return html`<main class="login"><h1>Postrider</h1><p class="lead">This console asks who you are. Your token stands in the token file of whoever runs it.</p>
    <form onSubmit=${event => { event.preventDefault(); token.set(value.trim()); enter(); }}>
      <label>Token<input type="password" autocomplete="off" value=${value} onInput=${e => set(e.target.value)} autofocus /></label>
      ${error && html`<p class="bad-text" role="alert">${error}</p>`}<button class="primary">Enter</button></form></main>`;
}

function App() {
  const [me, setMe] = useState(null), [error, setError] = useState(null), [here, go] = useState(route());
  const [live, setLive] = useState(null), [lost, setLost] = useState(null), [asking, ask] = useState(null), [refresh, setRefresh] = useState(() => () => {});
  const enter = () => get('me').then(answer => { setMe(answer); setError(null); }, setError);
  useEffect(() => { enter(); addEventListener('hashchange', () => { go(route()); scrollTo(0, 0); }); }, []);
  useEffect(() => {
    if (!me) return;
    const [say, end] = watch(me.interval_ms, message => {
      if (message.status === 200) { setLive(message.data); setLost(null); } else if (message.status === 401) { setMe(null); setError(message); }
      else setLost(old => old || new Date());
    });
    setRefresh(() => say);
    return end;
  }, [me]);
  if (error && error.status === 401) return html`<${Login} error=${token.get() ? 'This token is not known.' : ''} enter=${enter} />`;
  if (error) return html`<main><div class="notice bad" role="alert">${error.message}</div><button onClick=${enter}>Try again</button></main>`;
  if (!me || !live) return html`<main><h1>Postrider</h1><p class="muted" aria-busy="true">${lost ? 'The console does not answer.' : 'Reading the outboxes…'}</p></main>`;
  const single = me.outboxes.length === 1 ? me.outboxes[0] : '';
  const outbox = here.outbox || single, page = VIEWS[here.page] ? here.page : 'overview', View = VIEWS[page];
  const status = live.outboxes.find(one => one.outbox === outbox);
  document.title = (outbox ? outbox + ' · ' : '') + 'Postrider';
  setAsk(ask);
  const close = done => { const after = asking.done; ask(null); if (done) { refresh(); if (after) setTimeout(after, 300); } };
  return html`<header class="top"><a class="skip" href=${location.hash || '#'} onClick=${event => { event.preventDefault(); document.getElementById('main').focus(); }}>To the page</a><a class="brand" href="#/"><img src="icon.svg" alt="" />Postrider</a>
      ${me.outboxes.length > 1 && html`<label><span class="sr-only">Outbox</span><select value=${outbox} onChange=${e => { location.hash = e.target.value ? link(e.target.value, PARENT[page] ? 'overview' : page) : '#/'; }}>
        <option value="">All outboxes</option>${me.outboxes.map(name => html`<option value=${name}>${name}</option>`)}</select></label>`}
      <div class="who"><span class=${'state' + (lost ? ' lost' : '')} role="status">${lost ? 'Connection lost' : 'Live'}</span>
        <span>${me.operator} <span class="role">(${me.role.toLowerCase()})</span></span>${token.get() && html`<button class="small" onClick=${() => { token.set(''); location.reload(); }}>Leave</button>`}</div></header>
    ${outbox && html`<nav class="tabs" aria-label="Pages">${(status?.is_foreign ? ['overview'] : PAGES).map(name => html`<a href=${link(outbox, name)} aria-current=${(PARENT[page] || page) === name ? 'page' : null}>${name === 'dead' ? 'Dead letters' : title(name)}</a>`)}</nav>`}
    <main id="main" tabindex="-1">${lost && html`<div class="notice bad" role="alert"><strong>The console has not answered since ${lost.toLocaleTimeString()}.</strong><p>What you see is from before. It is tried again every few seconds.</p></div>`}
      ${!outbox ? html`<${Outboxes} live=${live} />` : !status ? html`<div class="notice bad">There is no outbox ${outbox}. <a href="#/">All outboxes</a></div>`
        : html`<${View} key=${outbox + page} outbox=${outbox} status=${status} live=${live} me=${me} query=${here.query} rest=${here.rest} can=${me.role === 'OPERATE'} />`}</main>
    ${asking && html`<${Confirm} ask=${asking} close=${close} />`}`;
}

render(html`<${App} />`, document.getElementById('app'));
