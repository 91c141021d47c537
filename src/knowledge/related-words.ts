/** Words that writers of software documents use for the same thing; one group per line. */
const GROUPS = `
delete remove erase drop forget purge discard clear
add insert append create new
create make build generate
change modify edit update alter adjust
upgrade update migrate migration version release
release publish version ship deploy
downgrade rollback revert previous
install setup requirement prerequisite need
start launch run begin boot open
stop end halt quit shut
fail failure error broken problem crash fault
crash kill die dead restart abort
slow fast speed performance latency budget
memory ram leak
disk storage file drive folder
folder directory path structure layout
database postgres postgresql sqlite store sql
token key secret credential password
login sign session authenticate authentication
logout session
user person people customer account member
permission access role right mode allowed readable
factor totp mfa 2fa
webhook callback hook notification endpoint
notification message alert mail email notice
mail email smtp
retry again repeat attempt redeliver
duplicate twice same double idempotent idempotency
conflict race collision
limit maximum most bound quota cap length size
rate throttle limit
timeout deadline expire wait
wait hold block pending
question ask answer query
answer reply response respond
approve approval accept confirm allow
reject refuse deny decline dismiss
permanent durable survive lost lose
lost lose missing disappear
backup snapshot archive copy save
restore recover recovery
save store keep write kept
load read fetch download get
upload import post send
import csv bulk spreadsheet upload
list page pagination cursor
filter search query find look
sort order rank priority
queue job worker task background
worker process background daemon
thread process concurrent parallel
concurrent simultaneous parallel race once
test check verify try
verify check validate validation signature
signature hmac signed sign
security vulnerability attack secure
encrypt encryption tls https
privacy personal gdpr pii
log logging trace
metric monitor monitoring alert
health status probe
config configuration setting option
environment variable env setup
machine computer laptop host localhost local
server service host backend
client browser frontend caller
api interface endpoint http
network connection socket port
plugin extension package module
command cli program terminal
branch worktree checkout git
merge combine join integrate
plan phase roadmap step
dependency depend require
document docs documentation guide manual
comment note remark
example sample demo
license licence
company commercial organisation organization business
time timestamp date zone hour clock
translate translation language text
history event log
correct correction fix wrong incorrect
wrong incorrect error invalid
interrupt cancel abort
typed enter input written
input output result return
rule style convention guideline
contribute contribution develop development
develop development code source`;

const MOST_PER_WORD = 8;

let groups: Map<string, string[]> | undefined;

/** What else the words may be called; neither the words themselves nor anything twice. */
export function relatedWords(words: readonly string[]): string[] {
  groups ??= readGroups();
  const own = new Set(words.map(stem));
  const related = words.flatMap((word) => (groups?.get(stem(word)) ?? []).slice(0, MOST_PER_WORD));
  return [...new Set(related)].filter((word) => !own.has(stem(word)));
}

function readGroups(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const group of GROUPS.trim()
    .split('\n')
    .map((line) => line.split(' '))) {
    for (const word of group) found.set(stem(word), [...(found.get(stem(word)) ?? []), ...group]);
  }
  return found;
}

/** Roughly, so that a word is found in each of its forms; the index does it better for itself. */
function stem(word: string): string {
  if (word.length <= 4) return word.replace(/(?<=..)s$/, '');
  return word
    .replace(/ies$|ied$/, 'y')
    .replace(/(?:ing|ed|es|s)$/, '')
    .replace(/([bdglmnprt])\1$/, '$1')
    .replace(/e$/, '');
}
