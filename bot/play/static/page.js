// The page of `python -m bot play`. The server says what the chosen player sees; this file shows it and sends back what
// the player does. No library, nothing from elsewhere.
"use strict";

const $ = (id) => document.getElementById(id);
const state = { you: sessionStorage.getItem("you") || "1", channel: sessionStorage.getItem("channel") || "", all: null, commands: [], files: [] };
const read = JSON.parse(sessionStorage.getItem("read") || "{}");
const dismissed = new Set(JSON.parse(sessionStorage.getItem("dismissed") || "[]"));
const shown = new Map(); // message id → { text of the message, element }

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "html") element.innerHTML = value; // made and escaped by bot/play/markdown.py
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// ---- Talking to the server

async function get(path, query = {}) {
  const answer = await fetch(`/api/${path}?${new URLSearchParams({ as: state.you, ...query })}`);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function post(path, body) {
  if (path !== "complete") state.acted = Date.now();
  try {
    const answer = await fetch(`/api/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ as: state.you, ...body }) });
    if (!answer.ok) return { error: await answer.text() };
    return await answer.json();
  } catch {
    return { error: "The game has stopped running. Start `python -m bot play` again, then reload this page." };
  }
}

let refreshing = false, again = false;
async function refresh() {
  if (refreshing) { again = true; return; }
  refreshing = true;
  try {
    do {
      again = false;
      const you = state.you;
      const all = await get("state");
      if (you !== state.you) { again = true; continue; }
      state.all = all;
      if (!all.channels.some((channel) => channel.id === state.channel)) await open(all.channels[0].id);
      const channel = state.channel;
      const messages = await get("messages", { channel });
      if (you === state.you && channel === state.channel) { showMessages(messages); markRead(); }
      else again = true;
      showSide();
      showGuide();
    } while (again);
  } catch (error) {
    notice(error.message === "Failed to fetch" ? "The game has stopped running. Start `python -m bot play` again, then reload this page." : error.message);
  } finally { refreshing = false; }
}

function listen() {
  const events = new EventSource("/api/events");
  events.onmessage = () => { notice(""); refresh(); };
  events.onerror = () => notice("The game has stopped running, or is just starting. This page goes on by itself when it is back.");
}

function notice(text) { $("notice").textContent = text; $("notice").hidden = !text; }

// ---- The left side

const hue = (number) => (Number(number) * 137 + 200) % 360;
function avatar(name, number) {
  const element = make("span", { class: "avatar", "aria-hidden": "true" }, [...name][0] || "?");
  element.style.background = number ? `hsl(${hue(number)} 42% 42%)` : "var(--seal)";
  return element;
}
function unread(number, counts) {
  return Object.entries(counts).reduce((sum, [channel, count]) => sum + Math.max(0, count - (read[`${number}:${channel}`] || 0)), 0);
}
function badge(count) { return count > 0 ? make("span", { class: "badge", title: `${count} new` }, count > 99 ? "99+" : `${count}`) : null; }
function markRead() {
  const channel = state.all.channels.find((entry) => entry.id === state.channel);
  if (!channel || document.hidden) return;
  read[`${state.you}:${channel.id}`] = channel.count;
  sessionStorage.setItem("read", JSON.stringify(read));
}
// What has not changed stays the same element: a button that is replaced while it is held down is never clicked.
function update(list, items) {
  items.forEach((item, index) => {
    const old = list.children[index];
    if (!old) list.append(item);
    else if (old.outerHTML !== item.outerHTML) old.replaceWith(item);
  });
  while (list.children.length > items.length) list.lastElementChild.remove();
}
function showSide() {
  const { people, channels, server } = state.all;
  $("server").textContent = server;
  update($("people"), people.map((person) => make("li", { "data-key": person.number }, make("button", { type: "button", "aria-current": person.number === state.you, onclick: () => become(person.number) },
    avatar(person.name, person.number),
    make("span", { class: "name" }, person.name, make("small", {}, [person.role, person.robot ? "computer" : ""].filter(Boolean).join(" · "))),
    person.robot && person.number !== state.you ? null : badge(unread(person.number, person.letters))))));
  update($("channels"), channels.map((channel) => make("li", { "data-key": channel.id }, make("button", { type: "button", "aria-current": channel.id === state.channel, onclick: () => open(channel.id) },
    make("span", { class: "sign", "aria-hidden": "true" }, channel.kind === "dm" ? "✉" : channel.kind === "thread" ? "↳" : "#"),
    make("span", { class: "name" }, channel.name, make("small", {}, channel.kind === "dm" ? "your direct messages with the bot" : "everybody reads this")),
    badge(unread(state.you, { [channel.id]: channel.count }))))));
  const person = people.find((entry) => entry.number === state.you);
  const channel = channels.find((entry) => entry.id === state.channel);
  $("title").textContent = channel ? (channel.kind === "dm" ? `${channel.name} · direct messages` : `#${channel.name}`) : "";
  $("topic").textContent = channel ? channel.topic : "";
  $("me").replaceChildren(avatar(person.name, person.number), make("span", {}, person.role ? `${person.name} · ${person.role}` : person.name));
  $("input").placeholder = channel && channel.kind === "dm" ? "Write orders here, one a line, or / for commands" : `Write as ${person.name}, or / for commands`;
  const waiting = channels.reduce((sum, entry) => sum + (entry.id === state.channel ? 0 : unread(state.you, { [entry.id]: entry.count })), 0);
  $("menubadge").hidden = !waiting; $("menubadge").textContent = waiting;
  document.title = `${waiting ? `(${waiting}) ` : ""}${person.name} · ${server}`;
}
async function become(number) {
  state.you = number; sessionStorage.setItem("you", number);
  const before = state.all.channels.find((entry) => entry.id === state.channel);
  state.all = await get("state");
  const same = state.all.channels.find((entry) => before && entry.kind === before.kind && (entry.kind === "dm" || entry.id === before.id));
  await open((same || state.all.channels[0]).id);
  closeDialogs(); refresh();
}
async function open(channel) {
  state.channel = channel; sessionStorage.setItem("channel", channel);
  shown.clear(); $("log").replaceChildren(); $("newer").hidden = true; closeForm(); drawer(false);
  state.commands = await get("commands", { channel });
  refresh();
  if (matchMedia("(hover: hover)").matches) $("input").focus();
}
function drawer(open) {
  document.body.classList.toggle("open", open); $("veil").hidden = !open; $("menu").setAttribute("aria-expanded", open);
}
function showGuide() {
  const guide = state.all.guide, key = JSON.stringify([guide, state.channel, state.you]);
  if ($("guide").dataset.key === key) return;
  $("guide").dataset.key = key;
  const direct = state.all.channels.find((channel) => channel.kind === "dm");
  const elsewhere = guide.open === "dm" && direct && direct.id !== state.channel;
  $("guide").replaceChildren(
    make("span", { class: "who" }, guide.who), " ", make("span", { class: "phase", html: guide.phase }),
    make("p", { html: guide.todo }, ),
  );
  if (elsewhere) $("guide").lastChild.append(make("button", { type: "button", onclick: () => open(direct.id) }, "Open direct messages"));
  if (guide.next) $("guide").lastChild.append(make("button", { type: "button", onclick: () => become(guide.next.number) }, `Play ${guide.next.name} next`));
  liven($("guide"));
}

// ---- Messages

function showMessages(messages) {
  const scroll = $("scroll"), atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 90 || shown.size === 0;
  const log = $("log"), visible = messages.filter((message) => !dismissed.has(message.id));
  let previous = null, position = 0, fresh = 0;
  const wanted = [];
  for (const message of visible) {
    if (!previous || new Date(previous.at).toDateString() !== new Date(message.at).toDateString()) {
      wanted.push(keyed(`day ${message.at.slice(0, 10)}`, "", () => make("li", { class: "day" }, new Date(message.at).toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long" }))));
      previous = null;
    }
    const head = !previous || previous.author.id !== message.author.id || message.used !== null || previous.ephemeral !== message.ephemeral || new Date(message.at) - new Date(previous.at) > 420000;
    const text = JSON.stringify([message, head, state.you]);
    if (!shown.has(message.id)) fresh += 1;
    wanted.push(keyed(message.id, text, () => messageElement(message, head)));
    previous = message;
  }
  if (!visible.length) wanted.push(keyed("empty", "", () => make("li", { class: "empty" }, "Nothing here yet.")));
  for (const element of wanted) {
    if (log.children[position] !== element) log.insertBefore(element, log.children[position] || null);
    position += 1;
  }
  while (log.children.length > position) log.lastChild.remove();
  const keep = new Set(wanted);
  for (const [id, entry] of shown) if (!keep.has(entry.element)) shown.delete(id);
  const isAnswer = fresh && Date.now() - (state.acted || 0) < 15000; // to what was just pressed or typed, wherever that stood
  if (atEnd || isAnswer) { toEnd(); for (const image of log.querySelectorAll("img")) if (!image.complete) image.addEventListener("load", toEnd, { once: true }); }
  else if (fresh) $("newer").hidden = false;
}
function keyed(id, text, build) {
  const entry = shown.get(id);
  if (entry && entry.text === text) return entry.element;
  const element = build();
  if (entry) entry.element.replaceWith(element);
  shown.set(id, { text, element });
  liven(element);
  return element;
}
function toEnd() { $("scroll").scrollTop = $("scroll").scrollHeight; $("newer").hidden = true; }

function messageElement(message, head) {
  const person = state.all.people.find((entry) => entry.id === message.author.id);
  const body = make("div", { class: "body" });
  if (message.used) body.append(make("div", { class: "used" }, `${message.used.name} used `, make("b", {}, `/${message.used.command}`)));
  if (head) body.append(make("div", { class: "by" }, make("strong", {}, message.author.name), person && person.role ? make("span", { class: "meta" }, person.role) : null, message.author.bot ? make("span", { class: "tag" }, "bot") : null,
    make("time", { datetime: message.at, title: new Date(message.at).toLocaleString() }, new Date(message.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }))));
  if (message.loading) body.append(make("div", { class: "thinking" }, "thinking"));
  if (message.html) body.append(make("div", { class: "html", html: message.html }));
  for (const file of message.files) body.append(fileElement(file)); // before embeds, as Discord has it
  for (const embed of message.embeds) body.append(embedElement(embed));
  for (const part of message.rows) body.append(partElement(part, message, body));
  if (message.edited) body.append(make("div", { class: "meta" }, "(edited)"));
  if (message.ephemeral) body.append(make("div", { class: "meta" }, "Only you can see this · ", make("button", { type: "button", onclick: () => dismiss(message.id) }, "dismiss")));
  return make("li", { class: [head ? "head" : "", message.ephemeral ? "only" : ""].join(" "), "data-id": message.id }, head ? avatar(message.author.name, person ? person.number : 0) : make("span"), body);
}
function dismiss(id) {
  dismissed.add(id); sessionStorage.setItem("dismissed", JSON.stringify([...dismissed].slice(-500))); refresh();
}
function embedElement(embed) {
  const element = make("div", { class: "embed" });
  if (embed.colour) element.style.borderLeftColor = embed.colour;
  if (embed.author) element.append(make("div", { class: "eauthor" }, embed.author));
  if (embed.title) element.append(make("div", { class: "etitle html", html: embed.title }));
  if (embed.description) element.append(make("div", { class: "html", html: embed.description }));
  if (embed.fields.length) element.append(make("div", { class: "fields" }, ...embed.fields.map((field) => make("div", { class: field.inline ? "inline" : "" }, make("b", { html: field.name }), make("div", { class: "html", html: field.value })))));
  for (const picture of [embed.thumbnail, embed.image]) if (picture) element.append(fileElement(picture));
  if (embed.footer) element.append(make("div", { class: "efoot" }, embed.footer));
  return element;
}
function fileElement(file) {
  const address = `/file/${state.you}/${file.id}`;
  if (file.name.endsWith(".txt")) return make("button", { class: "file", type: "button", title: "Read it", onclick: () => leaf(address, file.name) }, file.name, make("small", {}, `${Math.ceil(file.size / 1024)} KB`));
  if (!file.picture) return make("a", { class: "file", href: address, download: file.name }, file.name, make("small", {}, `${Math.ceil(file.size / 1024)} KB`));
  return make("button", { class: "picture", type: "button", title: "Look closer", onclick: () => zoom(address, file.alt || file.name) }, make("img", { src: address, alt: file.alt || file.name }));
}
async function leaf(address, name) {
  const text = await (await fetch(address)).text(), dialog = $("zoom");
  dialog.replaceChildren(make("button", { class: "close", type: "button", "aria-label": "Close", onclick: () => dialog.close() }, "✕"), make("p", {}, name), make("pre", {}, text));
  dialog.showModal();
}
function zoom(address, alt) {
  const dialog = $("zoom"), image = make("img", { src: address, alt });
  image.addEventListener("click", () => dialog.classList.toggle("full"));
  dialog.classList.remove("full");
  dialog.replaceChildren(make("button", { class: "close", type: "button", "aria-label": "Close", onclick: () => dialog.close() }, "✕"), image, make("p", {}, alt));
  dialog.showModal();
}

function partElement(part, message, body) {
  if (part.kind === "row" || part.kind === "box") return make("div", { class: part.kind === "row" ? "row" : "embed" }, ...part.parts.map((child) => partElement(child, message, body)));
  if (part.kind === "text") return make("div", { class: "html", html: part.html });
  if (part.kind === "select") return selectElement(part, message, body);
  if (part.url) return make("a", { class: "press", href: part.url, target: "_blank", rel: "noreferrer noopener" }, part.label);
  return make("button", { class: `press ${part.style}`, type: "button", disabled: part.disabled, onclick: (event) => act(event.currentTarget, body, "click", { message: message.id, custom_id: part.custom_id }) }, part.label);
}
function offersOf(part) {
  if (part.of === "string") return part.options;
  if (part.of === "channel") return state.all.channels.filter((entry) => entry.kind !== "dm").map((entry) => ({ label: `#${entry.name}`, value: entry.id, description: "" }));
  return state.all.people.map((entry) => ({ label: entry.name, value: entry.id, description: entry.role }));
}
function selectElement(part, message, body) {
  const send = (element, values) => act(element, body, "select", { message: message.id, custom_id: part.custom_id, values });
  if (part.most > 1) return manyElement(part, (element, values) => send(element, values));
  const select = selectBox(part);
  select.addEventListener("change", () => { if (select.value !== "") send(select, [offersOf(part)[Number(select.value)].value]); });
  return select;
}
function selectBox(part) {
  const offers = offersOf(part), select = make("select", { class: "pick", disabled: part.disabled, "aria-label": part.placeholder || "Choose" });
  select.append(make("option", { value: "" }, part.placeholder || "Choose…"), ...offers.map((offer, index) => make("option", { value: `${index}`, selected: offer.chosen }, offer.description ? `${offer.label} — ${offer.description}` : offer.label)));
  return select;
}
function manyElement(part, send) {
  const boxes = offersOf(part).map((offer) => ({ offer, box: make("input", { type: "checkbox", checked: offer.chosen, disabled: part.disabled }) }));
  const chosen = () => boxes.filter((entry) => entry.box.checked).map((entry) => entry.offer.value);
  const button = make("button", { class: "press", type: "button", disabled: part.disabled }, "Choose these");
  button.addEventListener("click", () => send(button, chosen()));
  const element = make("details", { class: "many" }, make("summary", {}, `${part.placeholder || "Choose"} (${part.least} to ${part.most})`), ...boxes.map((entry) => make("label", {}, entry.box, " ", entry.offer.label, " ", make("small", {}, entry.offer.description))), send ? button : null);
  element.chosen = chosen;
  return element;
}
async function act(element, body, path, what) {
  body.querySelector(".failed")?.remove();
  element.classList.add("busy"); element.disabled = true;
  const answer = await post(path, what);
  element.classList.remove("busy"); element.disabled = false;
  if (answer.error) body.append(make("div", { class: "failed", role: "alert" }, answer.error));
  if (answer.modal) openModal(answer.modal);
  refresh();
}

// ---- Times and spoilers

const UNITS = [["year", 31536000], ["month", 2592000], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
function fromNow(moment) {
  const seconds = (moment - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) || ["second", 1];
  return relative.format(Math.round(seconds / size), unit);
}
const STYLES = { t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" }, f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" }, s: { dateStyle: "short", timeStyle: "short" }, S: { dateStyle: "short", timeStyle: "medium" } };
function liven(root) {
  for (const time of root.querySelectorAll("time[data-style]")) {
    const moment = new Date(time.dateTime), style = time.dataset.style;
    time.textContent = style === "R" ? fromNow(moment) : moment.toLocaleString(undefined, STYLES[style]);
    time.title = moment.toLocaleString(undefined, STYLES.F);
  }
  for (const spoiler of root.querySelectorAll(".spoiler")) spoiler.onclick = spoiler.onkeydown = () => spoiler.classList.add("open");
}
setInterval(() => liven(document), 5000);

// ---- Modals

function openModal(modal) {
  const dialog = $("modal"), form = make("form", { method: "dialog" }), readers = [];
  form.append(make("h3", {}, modal.title));
  modal.fields.forEach((field, index) => {
    if (field.kind === "note") { form.append(make("p", {}, field.label)); return; }
    const id = `field${index}`;
    form.append(make("label", { for: id }, field.label, field.required ? make("span", { class: "star", title: "needed" }, " *") : null, make("small", {}, field.description)));
    if (field.kind === "text") {
      const box = make(field.long ? "textarea" : "input", { id, placeholder: field.placeholder, maxlength: field.most, minlength: field.least || null, required: field.required });
      const count = make("div", { class: "count" });
      const tell = () => { count.textContent = `${[...box.value].length} of ${field.most}`; };
      box.value = field.value; box.addEventListener("input", tell); tell();
      form.append(box, field.long ? count : "");
      readers.push([field.custom_id, () => box.value]);
    } else if (field.most > 1) {
      const many = manyElement(field, null); many.open = true; form.append(many);
      readers.push([field.custom_id, () => many.chosen()]);
    } else {
      const select = selectBox(field); select.id = id; form.append(select);
      readers.push([field.custom_id, () => (select.value === "" ? [] : [offersOf(field)[Number(select.value)].value])]);
    }
  });
  const error = make("div", { class: "failed", role: "alert" });
  const send = make("button", { class: "press primary", type: "submit" }, "Submit");
  form.append(error, make("div", { class: "does" }, make("small", {}, "Ctrl+Enter submits"), make("button", { class: "press", type: "button", onclick: () => dialog.close() }, "Cancel"), send));
  form.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); } });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true; error.textContent = "";
    const answer = await post("modal", { modal: modal.id, values: Object.fromEntries(readers.map(([name, value]) => [name, value()])) });
    send.disabled = false;
    if (answer.error) { error.textContent = answer.error; return; }
    dialog.close();
    refresh();
    if (answer.modal) openModal(answer.modal);
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  form.querySelector("textarea, input, select")?.focus();
}
function closeDialogs() { for (const dialog of [$("modal"), $("zoom")]) if (dialog.open) dialog.close(); }

// ---- The message box and the palette of commands

let picked = 0;
function grow() { const box = $("input"); box.style.height = "auto"; box.style.height = `${box.scrollHeight + 2}px`; }
function matches() {
  const text = $("input").value;
  if (!text.startsWith("/") || text.includes("\n")) return [];
  const typed = text.slice(1).toLowerCase(), words = typed.split(/\s+/).filter(Boolean);
  const exact = state.commands.filter((command) => typed === command.name || typed.startsWith(`${command.name} `));
  if (exact.length) return exact.slice(-1);
  return state.commands.filter((command) => words.every((word) => command.name.includes(word))).sort((a, b) => b.name.startsWith(typed) - a.name.startsWith(typed) || usual(a) - usual(b));
}
const USUAL = ["orders enter", "orders guide", "orders ready", "orders show", "orders", "map", "history", "replay", "help", "rules", "game info", "game"]; // what a player wants most comes first
function usual(command) { const rank = USUAL.findIndex((name) => command.name === name || command.name.startsWith(`${name} `)); return rank < 0 ? USUAL.length : rank; }
function showPalette() {
  const found = matches(), list = $("palette");
  picked = Math.min(picked, Math.max(0, found.length - 1));
  list.hidden = !$("input").value.startsWith("/") || $("input").value.includes("\n") || !$("form").hidden;
  if (list.hidden) return;
  list.replaceChildren(...found.map((command, index) => make("li", { role: "option", id: `command${index}`, "aria-selected": index === picked, onmousedown: (event) => { event.preventDefault(); choose(command); } },
    make("b", {}, `/${command.name}`), " ", make("span", { class: "options" }, command.options.map((option) => (option.required ? option.name : `[${option.name}]`)).join(" ")), make("span", { class: "about" }, command.description))));
  if (!found.length) list.append(make("li", {}, "No such command here."));
  $("input").setAttribute("aria-activedescendant", found.length ? `command${picked}` : "");
  list.children[picked]?.scrollIntoView({ block: "nearest" });
}
function choose(command) {
  const rest = $("input").value.slice(1 + command.name.length).trim();
  $("input").value = ""; grow(); $("palette").hidden = true;
  const typed = optionsIn(command, rest);
  if (!command.options.length || (rest && typed)) { run(command, typed || {}); return; }
  openForm(command, rest);
}
function optionsIn(command, rest) { // "text:A PAR - BUR ready:yes" → its options; null if it isn't written so
  const names = command.options.map((option) => option.name).join("|");
  if (!names || !new RegExp(`^(${names}):`).test(rest)) return null;
  const found = {};
  for (const piece of rest.split(new RegExp(`\\s+(?=(?:${names}):)`))) found[piece.slice(0, piece.indexOf(":"))] = piece.slice(piece.indexOf(":") + 1).trim().replace(/^"(.*)"$/s, "$1");
  return found;
}
async function run(command, options) {
  notice("");
  const answer = await post("slash", { channel: state.channel, command: command.name, options });
  if (answer.error) notice(answer.error);
  if (answer.modal) openModal(answer.modal);
  refresh();
  return !answer.error;
}

// ---- The form of a chosen command

function openForm(command, first) {
  const form = $("form"), fields = [];
  const submit = async () => {
    const options = {};
    for (const field of fields) { const value = await field.value(); if (value !== "" && value !== null) options[field.option.name] = value; }
    const lacking = fields.find((field) => field.option.required && !(field.option.name in options));
    if (lacking) { lacking.box.focus(); return; }
    if (await run(command, options)) closeForm(); 
  };
  for (const option of command.options) fields.push(fieldElement(command, option, fields, submit));
  form.replaceChildren(
    make("div", { class: "what" }, make("b", {}, `/${command.name}`), make("span", {}, command.description)),
    make("div", { class: "options" }, ...fields.map((field) => field.element)),
    make("div", { class: "does" }, make("button", { class: "press primary", type: "button", onclick: submit }, "Run"), make("button", { class: "press", type: "button", onclick: () => { closeForm(); $("input").focus(); } }, "Cancel"), make("small", {}, "Enter runs it, Esc leaves it")),
  );
  form.onkeydown = (event) => { if (event.key === "Escape") { event.preventDefault(); closeForm(); $("input").focus(); } };
  form.hidden = false;
  if (first && fields.length) fields[0].box.value = first;
  fields[0].box.focus();
}
function closeForm() { $("form").hidden = true; $("form").replaceChildren(); }
const KINDS = { string: "text", integer: "a whole number", number: "a number", boolean: "yes or no", user: "somebody", channel: "a channel", role: "a role", mentionable: "somebody", attachment: "a file" };
function fieldElement(command, option, fields, submit) {
  const id = `option-${option.name}`, offers = make("ul", { class: "offers", role: "listbox", id: `${id}-offers`, hidden: true });
  const box = make("input", { id, type: option.kind === "attachment" ? "file" : "text", role: "combobox", "aria-controls": `${id}-offers`, "aria-expanded": "false", "aria-required": option.required, autocomplete: "off" });
  let found = [], chosen = 0, known = null, asked = 0, timer = 0;
  const show = () => {
    offers.replaceChildren(...found.map((offer, index) => make("li", { role: "option", "aria-selected": index === chosen, onmousedown: (event) => { event.preventDefault(); take(offer); } }, offer.name)));
    offers.hidden = !found.length || document.activeElement !== box;
    box.setAttribute("aria-expanded", !offers.hidden);
    offers.children[chosen]?.scrollIntoView({ block: "nearest" });
  };
  const take = (offer) => { box.value = offer.name; known = offer; found = []; show(); };
  const look = async () => {
    const typed = box.value, turn = ++asked;
    if (option.complete) {
      const filled = {};
      for (const field of fields) if (field.option !== option && field.option.kind !== "attachment") { const value = await field.value(); if (value) filled[field.option.name] = value; }
      const answer = await post("complete", { channel: state.channel, command: command.name, option: option.name, typed, filled });
      if (turn !== asked || box.value !== typed) return; // an answer to what is no longer typed
      found = answer.choices || [];
    } else {
      const fixed = option.choices.length ? option.choices : option.kind === "boolean" ? [{ name: "yes", value: "yes" }, { name: "no", value: "no" }]
        : option.kind === "user" || option.kind === "mentionable" ? state.all.people.map((person) => ({ name: person.role ? `${person.name} (${person.role})` : person.name, value: person.id }))
        : option.kind === "channel" ? state.all.channels.filter((channel) => channel.kind !== "dm").map((channel) => ({ name: channel.name, value: channel.id })) : [];
      found = fixed.filter((offer) => offer.name.toLowerCase().includes(typed.toLowerCase()));
    }
    chosen = 0; show();
  };
  box.addEventListener("input", () => {
    known = null; clearTimeout(timer);
    // Until the bot has answered: nothing that what is typed now rules out, for whoever presses Enter at once.
    const typed = box.value.toLowerCase();
    found = found.filter((offer) => offer.name.toLowerCase().includes(typed)); chosen = 0; show();
    timer = setTimeout(look, option.complete ? 140 : 0);
  });
  box.addEventListener("focus", () => { if (option.kind !== "attachment") look(); });
  box.addEventListener("blur", () => { offers.hidden = true; });
  box.addEventListener("keydown", (event) => {
    if (!offers.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) { event.preventDefault(); chosen = (chosen + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length; show(); }
    else if (!offers.hidden && event.key === "Tab" && !event.shiftKey && box.value && found.length) take(found[chosen]);
    else if (event.key === "Escape" && !offers.hidden) { event.preventDefault(); event.stopPropagation(); found = []; show(); }
    else if (event.key === "Enter") {
      event.preventDefault();
      if (!offers.hidden && (box.value === "" ? option.required : known === null && found.length && found[chosen].name !== box.value)) { take(found[chosen]); const next = fields[fields.findIndex((field) => field.box === box) + 1]; if (next && next.option.required) next.box.focus(); }
      else { clearTimeout(timer); submit(); }
    }
  });
  const value = async () => {
    if (option.kind === "attachment") return box.files.length ? upload(box.files[0]) : null;
    return known ? known.value : box.value;
  };
  const about = [option.description, option.kind === "string" ? "" : KINDS[option.kind]].filter(Boolean).join(" · ");
  const element = make("div", { class: option.kind === "string" && !option.choices.length ? "field wide" : "field" }, make("label", { for: id }, option.name, option.required ? make("span", { class: "star", title: "needed" }, " *") : null, " ", make("small", {}, about)), box, offers);
  return { option, box, value, element };
}
function upload(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, data: reader.result.slice(reader.result.indexOf(",") + 1) });
    reader.onerror = reject;
    reader.readAsDataURL(file);
  });
}

// ---- Sending

async function send() {
  const box = $("input"), text = box.value;
  if (text.startsWith("/")) { const found = matches(); if (found.length) choose(found[picked] || found[0]); return; }
  if (!text.trim() && !state.files.length) return;
  const files = await Promise.all(state.files.map(upload));
  notice("");
  const answer = await post("say", { channel: state.channel, text, files });
  if (answer.error) { notice(answer.error); return; }
  box.value = ""; attach([]); grow(); toEnd(); refresh();
}
function showFiles() {
  $("files").hidden = !state.files.length;
  $("files").replaceChildren(`Attached: ${state.files.map((file) => file.name).join(", ")} `, make("button", { class: "plain", type: "button", onclick: () => attach([]) }, "Remove"));
}
function attach(files) { state.files = [...files]; if (!state.files.length) $("attach").value = ""; showFiles(); }

$("composer").addEventListener("submit", (event) => { event.preventDefault(); send(); });
$("input").addEventListener("input", () => { picked = 0; grow(); showPalette(); });
$("input").addEventListener("blur", () => { $("palette").hidden = true; });
$("input").addEventListener("focus", showPalette);
$("input").addEventListener("keydown", (event) => {
  const open = !$("palette").hidden, found = open ? matches() : [];
  if (open && found.length && (event.key === "ArrowDown" || event.key === "ArrowUp")) { event.preventDefault(); picked = (picked + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length; showPalette(); }
  else if (open && found.length && event.key === "Tab") { event.preventDefault(); choose(found[picked]); }
  else if (open && event.key === "Escape") { event.preventDefault(); $("palette").hidden = true; }
  else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); }
});
$("attach").addEventListener("change", () => attach($("attach").files));
// Files may be dropped anywhere but on a field for one, which takes them by itself, and pasted into the message box.
const brings = (event) => event.dataTransfer?.types.includes("Files") && event.target.type !== "file";
addEventListener("dragover", (event) => { if (brings(event)) event.preventDefault(); });
addEventListener("drop", (event) => { if (brings(event)) { event.preventDefault(); attach(event.dataTransfer.files); } });
$("input").addEventListener("paste", (event) => { if (event.clipboardData.files.length) { event.preventDefault(); attach(event.clipboardData.files); } });
$("newer").addEventListener("click", toEnd);
$("scroll").addEventListener("scroll", () => { const scroll = $("scroll"); if (scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 90) $("newer").hidden = true; });
$("menu").addEventListener("click", () => drawer(!document.body.classList.contains("open")));
$("veil").addEventListener("click", () => drawer(false));
$("zoom").addEventListener("click", (event) => { if (event.target === $("zoom")) $("zoom").close(); });
addEventListener("resize", grow);
document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") drawer(false); });

function theme(name) { document.documentElement.dataset.theme = name; localStorage.setItem("theme", name); }
theme(localStorage.getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
$("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

refresh().then(listen);
