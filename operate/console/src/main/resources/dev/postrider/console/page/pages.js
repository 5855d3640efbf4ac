// All pages but those of messages.
import { html, useState } from './preact.js';
import { Ago, Badge, ask, Empty, Page, RateChart, Table, Time, link, number, change, under, plural, post, span, title, useRead, enc, muted, plain } from './core.js';

const inMs = ms => ms > 0 ? 'in ' + span(ms) : 'now';

const figure = (name, value, kind, about) => html`<div><dt>${name}</dt><dd class=${kind || null} title=${about}>${value}</dd></div>`;

function Figures({ status }) {
  const age = status.oldest_age_ms, exact = status.undelivered_is_exact, now = status.history?.at(-1);
  return html`<dl class="figures">${figure('Oldest', status.undelivered ? span(age) : 'none', age > 60000 ? 'bad' : age > 10000 && 'warn')}
    ${figure('Undelivered', (exact ? '' : '≈ ') + number(status.undelivered), '', exact ? null : 'An estimate: counting this many would be slow')}
    ${figure('Held', number(status.held), status.held && 'warn')}${figure('Delayed', number(status.delayed))}${figure('Dead letters', number(status.dead) + (status.dead_is_exact ? '' : '+'), status.dead && 'bad')}
    ${Object.keys(status.by_status).map(name => figure(name, number(status.by_status[name].rows)))}
    ${now && html`${figure('Enqueued / s', number(now.in))}${figure('Delivered / s', number(now.out))}`}</dl>`;
}

export function Outboxes({ live }) {
  return html`<h1>Outboxes</h1><p class="lead">Everything that is committed and not yet at its broker, by outbox.</p>
    <div class="grid">${live.outboxes.map(status => html`<section key=${status.outbox}>
      <div class="panel-head"><h2><a href=${link(status.outbox, 'overview')}>${status.outbox}</a></h2><${Health} status=${status} /></div>
      ${status.problem ? html`<div class="notice bad">${status.problem}</div>` : html`<${Figures} status=${status} /><${RateChart} history=${status.history} />`}
    </section>`)}</div><${Jobs} jobs=${live.jobs} />`;
}

function Health({ status }) {
  if (status.problem) return html`<${Badge} kind="bad">not reached<//>`;
  if (!status.relays_are_known) return '';
  const free = (status.lanes || []).filter(lane => !lane.is_owned).length;
  if (free && free === status.lanes.length) return html`<${Badge} kind="bad">no relay<//>`;
  if (free) return html`<${Badge} kind="warn">${plural(free, 'lane')} free<//>`;
  const off = status.destinations?.find(one => !['OPEN', 'SLOW'].includes(one.state));
  if (off) return html`<span>${off.name} <${Standing} state=${off.state} /></span>`;
  return html`<${Badge} kind="good">delivering<//>`;
}

export function Overview({ outbox, status, live, can }) {
  const problems = useRead(under(outbox, 'problems'));
  if (status.problem) return html`<h1>${outbox}</h1><div class="notice bad" role="alert"><strong>The outbox cannot be read.</strong><p>${status.problem}</p></div>`;
  return html`<div class="panel-head"><h1>${outbox}</h1><${Health} status=${status} /></div>
    <section><${Figures} status=${status} /><${RateChart} history=${status.history} /></section>
    ${!status.is_foreign && html`<div class="grid">
      <section><h2>Destinations</h2><${DestinationTable} outbox=${outbox} status=${status} can=${can} /></section>
      <section><h2>Relays</h2>${(status.relays || []).length === 0
        ? html`<${Empty} title="No relay is running">Nothing is delivered until one is started.<//>`
        : html`<${Table} label="Relays" head=${['Host', 'Process', 'Lanes', 'Started', 'Heartbeat']} numbers=${[2]} rows=${status.relays.map(relay => {
            const [host, process] = relay.owner.split('/');
            return [html`<span title=${relay.owner}>${host}</span>`, process || '–', relay.lanes, html`<${Time} at=${relay.started_at} short />`, html`<${Ago} at=${relay.heartbeat_at} />`];
          })} />`}</section></div>
    <section><h2>Keys that are held back</h2><${HeldKeys} outbox=${outbox} status=${status} /></section>`}
    <section><h2>Problems</h2><${Page} read=${problems}>${({ problems: found }) => found.length === 0
      ? html`<${Empty} title="The doctor found nothing">Tables, privileges, lanes, transactions and durability are as they should be.<//>`
      : found.map(finding => html`<div class=${'notice ' + (finding.severity === 'ERROR' ? 'bad' : finding.severity === 'NOTE' ? 'info' : '')}>
          <strong>${finding.what};</strong> ${finding.meaning}.<p><em>Fix:</em> ${finding.fix}</p></div>`)}<//></section>
    <${Jobs} jobs=${live.jobs.filter(job => job.outbox === outbox)} can=${can} />`;
}

function HeldKeys({ outbox, status }) {
  const heads = status.held_keys || [];
  if (!heads.length) return html`<${Empty} title="No key is held back">A message that fails holds back the later ones of its key; there is none.<//>`;
  return html`<${Table} label="Held keys" head=${['Key', 'Topic', 'Attempts', 'Next attempt', 'Last error']} numbers=${[2]} rows=${heads.map(head => [
    head.key !== undefined ? html`<a href=${link(outbox, 'key', [head.key])}>${head.key}</a>` : html`<a href=${link(outbox, 'message', [head.id])}>no key</a>`, head.topic, head.attempts,
    head.is_blocked ? html`<${Badge} kind="bad">blocked: waits for you<//>` : inMs(head.next_attempt_in_ms), head.error])} /><p><a href=${link(outbox, 'messages', [], { in: 'held' })}>All that is held</a></p>`;
}

const stateKinds = { OPEN: 'good', SLOW: 'warn', TRYING: 'warn', PAUSED: 'warn', WAITING: 'bad', CLOSED: 'bad' };
const stateNames = { WAITING: 'takes no messages', TRYING: 'tried again' };
const Standing = ({ state }) => html`<${Badge} kind=${stateKinds[state]}>${stateNames[state] || state.toLowerCase()}<//>`;

function DestinationTable({ outbox, status, can }) {
  const all = status.destinations || [];
  if (!all.length) return html`<${Empty} title="No destination is known">The database knows topics only. Start the console with a configuration file, which has their routes.<//>`;
  const act = (name, verb) => ask({
    title: title(verb) + ' ' + name + '?', danger: verb === 'pause', anyCount: true, button: () => title(verb),
    text: relays => plural(relays, 'relay') + ' of this outbox will ' + (verb === 'pause' ? 'stop delivering to it within seconds. Its messages wait in the outbox until you resume.' : 'deliver to it again within seconds.'),
    ...change(under(outbox, 'destinations/' + enc(name) + '/' + verb), {}, answer => answer.relays),
  });
  return html`<${Table} label="Destinations" head=${['Name', 'State', 'Since', 'In flight', 'Waiting', '']} numbers=${[3, 4]} rows=${all.map(one => [
    html`<a href=${link(outbox, 'destinations', [one.name])}>${one.name}</a>`, html`<${Standing} state=${one.state} />${one.is_slow && one.state !== 'SLOW' && html` <${Standing} state="SLOW" />`}${one.paused_by && html`<div class="muted">by ${one.paused_by}</div>`}${one.error && html`<div class="bad-text">${one.error}</div>`}`,
    html`<${Time} at=${one.since} short />`, number(one.in_flight), number(one.waiting),
    can && [one.state === 'PAUSED' ? 'resume' : 'pause'].map(verb => html`<button class="small" onClick=${() => act(one.name, verb)}>${title(verb)}</button>`)])} />`;
}

const explained = {
  OPEN: 'Relays deliver to it.', SLOW: 'It takes messages slowly. Relays give it less room, so that other destinations flow past it.', PAUSED: 'An operator has paused it. Its messages wait, and no attempt is counted.',
  CLOSED: 'It cannot be reached. Relays wait and try it again by themselves; no attempt is counted.', TRYING: 'It was closed. Relays try it with a few messages; the first success opens it.', WAITING: 'Messages wait for it, or for a topic, exchange or stream that is missing or full.',
};

function Destination({ outbox, status, name, can }) {
  const one = status.destinations?.find(each => each.name === name);
  if (!one) return html`<h1>${name}</h1><${Empty} title="No such destination">No relay and no configuration of this outbox knows it. <a href=${link(outbox, 'destinations')}>All destinations</a><//>`;
  return html`<div class="panel-head"><h1>${name}</h1><${Standing} state=${one.state} /></div><p class="lead">${explained[one.state]}</p>
    <section><${DestinationTable} outbox=${outbox} status=${{ destinations: [one] }} can=${can} /></section>
    <section><h2>At each relay</h2>${one.relays.length === 0 ? html`<${Empty} title="No relay has told of it">Relays tell how their destinations stand with each heartbeat, about once a second.<//>`
      : html`<${Table} label="At each relay" head=${['Relay', 'State', 'Since', 'In flight', 'Why']} numbers=${[3]} rows=${one.relays.map(relay => [html`<span class="mono">${relay.relay}</span>`,
        html`<${Badge} kind=${relay.state === 'UP' ? 'good' : relay.state === 'DOWN' ? 'bad' : 'warn'}>${relay.state.toLowerCase()}<//>${relay.is_slow && html` <${Standing} state="SLOW" />`}`, html`<${Ago} at=${relay.since} />`, number(relay.in_flight), relay.why || muted('–')])} />`}</section>
    <${WaitingTable} status=${status} name=${name} /><p><a href=${link(outbox, 'destinations')}>All destinations</a></p>`;
}

function WaitingTable({ status, name }) {
  const waiting = (status.waiting || []).filter(one => !name || one.destination === name);
  return waiting.length > 0 && html`<section><h2>What waits, by topic</h2><${Table} label="Waiting" head=${['Destination', 'Topic', 'Messages', 'Since', 'Why']} numbers=${[2]}
    rows=${waiting.map(w => [w.destination, w.topic, number(w.messages), html`<${Time} at=${w.since} short />`, w.error])} /></section>`;
}

export function Destinations({ outbox, status, can, rest }) {
  if (rest[0]) return html`<${Destination} outbox=${outbox} status=${status} name=${rest[0]} can=${can} />`;
  return html`<h1>Destinations</h1><p class="lead">Where messages of this outbox go. A paused or unreachable destination holds back its own messages only; no attempt is counted.</p>
    <section><${DestinationTable} outbox=${outbox} status=${status} can=${can} /></section>
    <${WaitingTable} status=${status} />`;
}

export function Lanes({ status }) {
  const lanes = status.lanes || [], still = [];
  const oldest = (ages, lane) => { const at = ages?.[lane]; return at ? html`<span class=${Date.now() - new Date(at) > 60000 ? 'bad-text' : ''}><${Ago} at=${at} /></span>` : muted('none'); };
  status.relays?.forEach(relay => relay.workers.forEach((worker, i) => worker.stands_still && still.push({ relay: relay.owner, worker: i + 1, ...worker })));
  return html`<h1>Lanes</h1><p class="lead">A lane is the unit of ownership: one worker of one relay delivers it at a time, under a lease.</p>
    ${still.map(one => html`<div class="notice bad" role="alert"><strong>Worker ${one.worker} of ${one.relay} has stood still for ${span(one.still_ms)}.</strong><p>It hangs in a destination or in the database${one.lanes.length ? ', with ' + (one.lanes.length === 1 ? 'lane ' : 'lanes ') + one.lanes.join(', ') : ''}. When its lease is over, others take its lanes. If it stays so, restart that process.</p></div>`)}
    <section><${Table} label="Lanes" head=${['Lane', 'Owner', 'Epoch', 'Lease', 'Oldest waiting', 'Oldest held']} numbers=${[2]} rows=${lanes.map(lane => [lane.lane, lane.is_owned ? html`<span class="mono">${lane.owner}</span>` : html`<${Badge} kind="bad">free<//> ${lane.owner ? muted('was ' + lane.owner) : ''}`,
        number(lane.epoch), lane.is_owned ? span(lane.lease_ms) + ' left' : 'over', oldest(status.oldest_by_lane, lane.lane), oldest(status.oldest_held_by_lane, lane.lane)])} /></section>`;
}

function deadAsk(outbox, verb, filter, what, done) {
  let most;
  return {
  title: title(verb) + ' ' + what + '?', danger: verb === 'discard', rate: true,
  text: count => (count === 0 ? 'None is left that matches.' : verb === 'retry'
    ? plural(count, 'dead letter') + ' will be delivered again, each ahead of what is held of its key.'
    : plural(count, 'dead letter') + ' will be deleted for good. Nobody can bring them back.') + (count >= most ? ' No more go at once: do the rest afterwards.' : ''),
  button: count => title(verb) + ' ' + (count === undefined ? '' : number(count)),
  ...change(under(outbox, 'dead/' + verb), filter, answer => { most = answer.at_most; return answer.matching; }),
  run: (count, rate) => post(under(outbox, 'dead/' + verb), { ...filter, expected: count, ...(rate ? { per_second: Number(rate) } : {}) }), done,
  };
}

export const DeadButtons = ({ outbox, filter, what, done, which = '' }) => html`<div class="row-buttons">${['retry', 'discard'].map(verb =>
  html`<button class="small" onClick=${() => ask(deadAsk(outbox, verb, filter, what, done))}>${title(verb)}${which}</button>`)}</div>`;

export function Dead({ outbox, live, can }) {
  const [version, bump] = useState(0);
  const running = live.jobs.filter(job => job.outbox === outbox && job.state === 'RUNNING').length;
  const read = useRead(under(outbox, 'dead-groups'), [version, running]);
  const done = () => bump(version + 1);
  return html`<h1>Dead letters</h1><p class="lead">Messages that were given up, grouped by what went wrong. A retry puts them back ahead of their key; a discard deletes them.</p>
    <${Jobs} jobs=${live.jobs.filter(job => job.outbox === outbox)} can=${can} />
    <section><${Page} read=${read}>${({ groups, grouped_at_most }) => groups.length === 0
      ? html`<${Empty} title="There are no dead letters">A message becomes one when its broker rejects it for good, or when its attempts run out.<//>`
      : html`${groups.reduce((sum, g) => sum + g.letters, 0) >= grouped_at_most && html`<p class="muted">Of the newest ${number(grouped_at_most)}.</p>`}
        ${can && html`<${DeadButtons} outbox=${outbox} filter=${{ all: true }} what="all dead letters" which=" all" done=${done} />`}
        <${Table} label="Dead letters by error" head=${['Letters', 'Topic', 'Reason', 'Error', 'Last', '']} numbers=${[0]} rows=${groups.map(group => [
          html`<a href=${link(outbox, 'messages', [], { in: 'dead', topic: group.topic, reason: group.reason, error: group.error.slice(0, 80) })}>${number(group.letters)}</a>${group.requested ? html`<div class="muted">${number(group.requested)} on their way</div>` : ''}`,
          group.topic, html`<${Badge} kind="bad">${plain(group.reason)}<//>`, group.error || muted('none'), html`<${Time} at=${group.last_at} short />`,
          can && html`<${DeadButtons} outbox=${outbox} filter=${{ topic: group.topic, reason: group.reason, error: group.error }} what="this group" done=${done} />`])} />`}<//></section>`;
}

const jobKinds = { RUNNING: 'info', DONE: 'good', CANCELLED: 'warn', FAILED: 'bad' };

function Jobs({ jobs, can }) {
  if (!jobs.length) return null;
  return html`<section><h2>Jobs</h2>${jobs.slice(0, 5).map(job => html`<div key=${job.id} class="job">
    <div class="panel-head"><span><strong>${title(plain(job.action))} ${job.which}</strong> by ${job.operator}, <${Time} at=${job.started_at} short /> <${Badge} kind=${jobKinds[job.state]}>${job.state.toLowerCase()}<//></span>
      <span>${number(job.done)} of ${number(job.total)}${job.per_second ? ', at most ' + number(job.per_second) + ' a second' : ''}
      ${can && job.state === 'RUNNING' && html` <button class="small" onClick=${() => ask({ title: 'Cancel this job?', text: count => 'What it has done stays done; ' + plural(count, 'dead letter') + ' will be left as ' + (count === 1 ? 'it is.' : 'they are.'), button: () => 'Cancel the job', anyCount: true, ...change('jobs/' + enc(job.id) + '/cancel', {}, answer => answer.total - answer.handled) })}>Cancel</button>`}</span></div>
    ${job.state === 'RUNNING' && html`<progress max=${job.total || 1} value=${job.handled} aria-label="Progress of the job"></progress>`}${job.problem && html`<p class="bad-text">${job.problem}</p>`}</div>`)}</section>`;
}

export function Operations({ outbox, query }) {
  const read = useRead(under(outbox, 'operations' + (query.before ? '?before=' + enc(query.before) : '')));
  return html`<h1>Operations</h1><p class="lead">What operators did to this outbox, from here, from the command line or from an application.</p>
    <section><${Page} read=${read}>${({ operations, next }) => operations.length === 0
      ? html`<${Empty} title="Nobody has changed anything">Pauses, retries, discards and unblocks appear here with the name of who did it.<//>`
      : html`<${Table} label="Operations" head=${['When', 'Who', 'What', 'Which', 'Affected']} numbers=${[4]} rows=${operations.map(one => [html`<${Time} at=${one.happened_at} />`, one.operator, one.action, one.details, number(one.affected)])} />
        ${next && html`<p><a href=${link(outbox, 'operations', [], { before: next })}>Older</a></p>`}`}<//></section>`;
}
