// A bot that plays over the public API: it lets itself be invited, and plays whatever it sits at.
//
//     node examples/bot.mjs http://127.0.0.1:8000 my-bot its-password [TABLE]
//
// TABLE is the id of a game to join, or `new` to open one against a bot of the server's; then it
// stops when that game is over.
// Needs Node.js 18 and nothing else. How it works: docs/bots.md.

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

const [address, name, password, table] = process.argv.slice(2);
const NOT_SENT = ["min", "max", "first", "suits", "suit_required"];
const PROFILE = { rulesets: ["throw_in", "transfer"], seats: [2, 3, 4], concurrency: 4 };
let token = "";

/** Ask until there is an answer; the key makes a write that is repeated count once. */
async function ask(method, path, body, more = {}) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": randomUUID(), ...more };
  if (token) headers.Authorization = `Bearer ${token}`;
  const request = { method, headers, body: body && JSON.stringify(body) };
  for (;;) {
    let seconds = 1;
    try {
      const answer = await fetch(address + path, { ...request, signal: AbortSignal.timeout(60000) });
      const told = await answer.json();
      if (answer.status !== 429 && answer.status < 500) return { status: answer.status, told };
      seconds = Number(answer.headers.get("Retry-After") ?? 1);
    } catch {
      // The line is down, or the answer got lost on it.
    }
    await pause(1000 * seconds);
  }
}

/** Register, or sign in if that has been done before. */
async function signIn() {
  let answer = await ask("POST", "/api/v1/players", { name, password, kind: "bot" });
  if (answer.status === 409) answer = await ask("POST", "/api/v1/tokens", { name, password });
  if (answer.status !== 201) throw new Error(answer.told.detail);
  token = answer.told.token;
}

/** Your part: here any move that is offered, with as few cards as it takes. */
function choose(view) {
  const patterns = view.you.legal_moves;
  const pattern = patterns[Math.floor(Math.random() * patterns.length)];
  const kept = Object.entries(pattern).filter(([field]) => !NOT_SENT.includes(field));
  const move = Object.fromEntries(kept);
  for (const field of ["cards", "slots"])
    if (move[field]) move[field] = move[field].slice(0, pattern.min);
  return pattern.suits ? { ...move, suit: pattern.suits[0] } : move;
}

/** Move as long as it is our turn; a move that came too late is thought over again. */
async function play(game) {
  let view = (await ask("GET", game)).told;
  while (view.you && view.to_act.includes(view.you.seat)) {
    const tag = { "If-Match": `"v${view.version}"` };
    const answer = await ask("POST", `${game}/moves`, choose(view), tag);
    view = answer.status === 201 ? answer.told.view : (await ask("GET", game)).told;
  }
}

/** The address of the game that it was told to join, or of a new one. */
async function sitDown() {
  const wish = { ruleset: "throw_in", seats: 2, bots: [{ brain: "greedy" }] };
  const place = table === "new" ? "" : `/${table}/join`;
  const answer = await ask("POST", `/api/v1/games${place}`, place ? {} : wish);
  if (answer.status >= 400) throw new Error(answer.told.detail);
  return `/api/v1/games/${answer.told.id}`;
}

await signIn();
const accepted = await ask("PUT", "/api/v1/players/me/bot-profile", PROFILE);
if (accepted.status !== 200) throw new Error(accepted.told.detail);
const wanted = table ? await sitDown() : null;
let after = "";
for (let over = false; !over; ) {
  const { told } = await ask("GET", `/api/v1/players/me/events?wait=25${after}`);
  after = `&after=${encodeURIComponent(told.next_after)}`;
  for (const { type, url } of told.events) {
    if (type === "your_turn") await play(url);
    if (type !== "game_finished") continue;
    console.log(`${url} is over`);
    over ||= url === wanted;
  }
}
