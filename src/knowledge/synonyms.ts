/** Words that software engineers use for the same thing, one group per line. A word may be in several groups. */
export const SYNONYMS = `
delete remove erase drop purge discard clear wipe destroy eliminate unlink prune trash
undelete restore recover recycle trash bin undo
add append insert include attach put
create make new generate build construct produce instantiate
change modify edit update alter adjust amend revise mutate
replace swap substitute exchange override overwrite supersede
rename move relocate transfer
copy clone duplicate replicate mirror
join merge combine concatenate unite integrate compose
split divide separate partition chunk slice segment shard
sort order arrange rank sequence
filter select restrict narrow exclude
search find look lookup locate query discover seek
match fit correspond compare
compare diff difference comparison versus contrast
equal same identical alike equivalent equality
list enumerate catalog index inventory overview
array list collection sequence vector
count number amount total quantity sum
collect gather accumulate aggregate
extract pull capture parse obtain
convert transform translate map cast coerce turn
format layout style pretty
parse read interpret decode analyze analyse
encode serialize stringify marshal escape
decode deserialize unmarshal unescape
compress zip gzip deflate shrink pack minify
decompress unzip unpack inflate extract
shrink reduce minimize smaller simplify minimal smallest
grow increase raise extend enlarge bigger expand
reduce decrease lower less cut lessen save
save store persist keep write record retain
load read fetch get retrieve obtain
upload send post submit push
download fetch pull get retrieve
import load ingest bring
export dump extract output
open access visit enter
close end finish shut
lock mutex exclusive hold
release free unlock return give
borrow lend acquire checkout take
share common shared together
group category categorize classify kind type
label tag mark annotate
hide invisible hidden conceal secret
show display present print visible view see render
skip ignore omit exclude leave pass bypass
ignore exclude omit skip disregard except
require mandatory required must compulsory obligatory necessary
optional voluntary may
default preset fallback standard initial
empty blank null nothing missing none undefined
missing absent lost lacking unavailable
unique distinct duplicate single
duplicate twice repeated double copy redundant same
random arbitrary chance shuffle
exact precise accurate literal
approximate fuzzy rough
start begin launch run boot open initialize initialise init
stop end halt quit exit terminate shutdown kill finish
exit quit end terminate leave
restart reboot reload relaunch
pause suspend hold freeze sleep
resume continue proceed restart
cancel abort interrupt stop
retry again repeat reattempt redo
repeat loop iterate recurring again every
recursive nested deep depth subdirectory subfolder tree
nested inner inside hierarchical
schedule cron timer periodic nightly planned recurring
nightly night overnight midnight daily
wait pause block delay await pending
delay latency lag slow late postpone
queue backlog pending waiting pile line
busy occupied taken used unavailable loaded
idle inactive unused free
available free ready accessible
timeout deadline expire expiry limit
expire expiry expiration outdated stale ttl obsolete
execute run invoke perform call
call invoke invocation trigger request
invoke invocation call execution
trigger fire emit cause event
emit fire raise dispatch publish event
event hook listener callback notification
hook callback interceptor middleware handler listener
handler callback listener function
callback handler hook webhook
subscribe listen observe watch
watch monitor observe track
notify alert inform tell message
broadcast everybody everyone all publish
asynchronous async promise await concurrent
synchronous sync blocking
promise future async
parallel concurrent simultaneous multithreaded
concurrency parallel race simultaneous concurrent
race concurrency interleaving ordering
order sequence ordering first
thread worker process
process child program task executable
child subprocess spawn process fork
leftover remain remaining left orphan
spawn fork start child
background daemon worker async
job task work
batch bulk mass many
pipeline workflow chain
workflow process procedure steps
stream pipe flow chunk
buffer bytes binary chunk
pipe stream redirect
error failure fault mistake problem exception
exception error throw thrown unhandled
throw raise reject exception
catch handle rescue trap
fail break crash error unsuccessful broken
broken corrupt damaged defective dead failing
bug defect issue error fault flaw
issue problem ticket bug trouble
crash die abort panic segfault killed
wrong bad incorrect invalid mistaken
invalid malformed bad illegal wrong
reject refuse deny decline disallow forbid
warn warning caution alert
debug troubleshoot diagnose investigate inspect
troubleshoot diagnose problem fix solve
fix repair correct solve resolve patch
workaround trick bypass
regression bug again previously
symptom sign cause
hang freeze stuck deadlock block
deadlock stuck hang lock
leak leaking grow exhaust
exhaust deplete full dry
overflow exceed full large
exceed beyond over larger above limit
conflict clash collision concurrent
reproduce replay repeat recreate
replay reproduce repeat again
stacktrace backtrace trace stack
test check verify spec try
assert expect verify check test
verify validate check confirm
validate validation check schema
spec test specification
mock stub fake dummy simulate
fixture sample setup generator
example sample demo case snippet
case scenario situation example
edge boundary corner extreme limit
unit test small
benchmark performance measure speed
measure metric benchmark gauge
coverage covered tested
lint linter style static
assertion check expectation
property invariant rule
generator producer factory arbitrary
seed random initial
tutorial introduction guide quickstart beginner first lesson
introduction overview first start basics
slow slowness latency sluggish long
fast quick speed rapid faster quickly performance
speed performance fast throughput velocity
performance speed efficiency fast slow optimize
optimize tune improve faster performance
improve better enhance optimize
scale scaling grow horizontal capacity
load traffic demand requests
balance balancing spread distribute rebalance
capacity size limit throughput
size large small length big dimension
large big huge heavy long
small tiny little minimal light
limit maximum cap quota bound restrict ceiling
maximum most max largest limit upper highest
minimum least min smallest lowest
quota limit allowance allotment
throttle rate limit slow
memory ram heap
cpu processor core
gpu graphics card accelerator
disk storage drive ssd volume
cache memoize store remember
precompile compile once reuse cache
reuse share again recycle
recycle renew refresh reuse replace
frequent often common regularly
rare seldom infrequent uncommon
cheap inexpensive low cost
cost price expensive
expensive costly slow
folder directory path dir
subdirectory subfolder folder directory
file document item entry
path location folder route
name filename title identifier
extension suffix ending
hidden dotfile invisible dot
root top base
location place address where
address ip host url location
url link address uri
link url reference hyperlink
ip address host
host server machine computer
machine computer host laptop workstation desktop device
laptop desktop local machine workstation
local localhost laptop offline
locally local laptop localhost
remote server cloud
cloud serverless hosted aws
serverless lambda function cloud
server backend service host
service server daemon
client consumer customer caller
browser chrome firefox web
page site website web
website site page web
proxy gateway nginx balancer reverse
gateway proxy entry
firewall port security network
port socket listen
network connection internet online
offline disconnected network
connect connection attach join
disconnect close hangup drop
connection socket link session
socket connection websocket
websocket socket realtime
handshake negotiation upgrade
protocol format standard
cable wire network
domain dns hostname
dns domain name
user person people account member visitor
visitor guest user client
account user profile login
customer client user
admin administrator owner superuser root
owner admin maintainer
team group organization members
member user participant
login signin authenticate authentication
logout signout session
authenticate authentication login identity credential verify
authorize authorization permission allow access
permission access right authorization privilege allowed scope
access permission reach read
role permission group
allow permit enable grant let
forbid deny disallow block prohibit
password passphrase secret credential
credential password token key secret login
token key credential
key token secret
secret key credential confidential private
register signup enroll registration
invite invitation join share
identity user sso
sso saml oidc oauth identity
mfa 2fa totp factor otp
session login cookie
cookie session
public open anyone everybody
private secret internal personal
privacy personal private gdpr
personal private data pii
anonymous unnamed guest
trust trusted safe untrusted
untrusted hostile malicious unsafe foreign
malicious hostile attacker evil
attack exploit hack dos
dos denial exhaustion flood
security secure safety vulnerability protection
vulnerability hole exploit weakness security cve
secure safe protected
protect guard shield defend secure
safe secure harmless
encrypt encryption cipher tls
decrypt decryption cipher
certificate tls ssl https
tls ssl https encryption
sign signature signed hmac
hash checksum digest fingerprint
sanitize escape clean
escape quote backslash
sandbox isolate isolation container jail
isolate sandbox separate
audit log history trail
compliance gdpr regulation legal
legal law licence license
licence license licensing copyright
license licence commercial
commercial business company paid enterprise license licence
company business organization organisation firm
free gratis cost
donate sponsor funding
database db sql postgres mysql sqlite
table relation rows
row record tuple entry
record entry row
column field attribute
field column property attribute
query statement sql select
statement query sql command
transaction commit atomic rollback begin
commit transaction save
rollback revert undo
revert undo rollback back
atomic transaction indivisible
schema structure model definition
migration migrate upgrade schema
migrate upgrade move port transition
index key lookup
replica standby secondary failover
failover replica standby promote
backup snapshot dump copy disaster archive
disaster backup recovery outage catastrophe
restore recovery recover backup
recovery restore disaster
snapshot backup copy image
archive zip tar package bundle
archive backup old cold
dump export backup
durable persistent permanent survive
permanent forever lasting persistent irrevocable
temporary transient ephemeral temp
immutable readonly frozen constant
constant fixed immutable
pool reuse connections
store save repository
storage disk store space
space room storage capacity
bucket storage s3
install installation setup add
setup install configure prepare installation
uninstall remove deinstall
upgrade update migrate newer version
update upgrade refresh newer
downgrade rollback older revert
version release edition revision
release publish version ship
publish release ship announce
ship deliver release distribute
deploy deployment release rollout production
rollout deploy gradual
production live deployed
environment stage setting
staging test preview
package library module dependency bundle
module package library import
library package framework dependency
dependency package library requirement prerequisite
prerequisite requirement needed precondition
precondition requirement assumption prerequisite
requirement prerequisite need hardware
plugin extension addon module
addon plugin extension optional
native compiled binary
binary executable compiled
executable binary program command
program application app executable tool
app application program
tool utility program
external separate outside foreign third
external separate standalone
standalone independent separate
compile build transpile
build compile bundle make
bundle pack package
source code
docker container image
container docker sandbox
kubernetes cluster container orchestration
cluster nodes replicas
compatible compatibility supported works
compatible legacy backward
legacy old deprecated obsolete ancient outdated
deprecated obsolete removed legacy old
old ancient previous former earlier legacy
previous earlier former last old
new fresh recent latest newer
latest newest recent current
windows microsoft
macos mac apple osx
linux unix
cross platform portable
font typeface glyph
emoji unicode characters
configure configuration setting option customize set
configuration config settings setup
setting option preference configuration parameter
option flag switch setting parameter
flag switch option toggle
switch flag toggle option
argument parameter option input value
parameter argument option
parameter value argument
input argument value data
value input content
output result print
result output outcome return
return result output give
property attribute field
declare define specify describe
define declare specify
specify define declare set
customize custom configure personalize
custom own personal special
theme style look appearance colors
appearance look theme style
color colour
dark night black
enable activate on allow turn
disable deactivate off turn
off disable deactivated
toggle switch enable disable
override replace overrule force
precedence priority order wins
priority importance precedence urgent
environment variable env
variable env environment
variable placeholder dynamic
template pattern layout
pattern regex glob expression wildcard
regex regexp pattern expression regular
wildcard glob star asterisk
glob wildcard pattern
case uppercase lowercase capital
uppercase capital upper
lowercase lower small
character letter symbol
string text characters
text string words message
number integer numeric digit int
integer int number
boolean flag true
date time timestamp day
time duration clock hour
timezone utc zone time
message text notification notice
notification alert message
mail email
chat message conversation
comment note remark
ask question query request prompt
question ask query faq
answer reply response respond
response reply answer
request call query ask
prompt ask question
approve accept confirm consent
confirm approve verify acknowledge
acknowledge ack confirm receive
decide decision choose resolve
decision choice rationale adr
choose select pick option
pick choose select take
prefer favour recommend
suggest recommend propose advice
recommend suggest advise best
propose suggest offer
alternative choice either option or
reason why cause rationale
explain describe tell
description explanation text summary
document docs documentation guide
documentation docs manual guide readme reference
guide manual tutorial howto
help usage manual assistance support
support help maintain
usage use syntax
command cli instruction
cli terminal commandline console
terminal console shell tty
shell bash terminal sh
subcommand verb command
contribute contribution help
translate localization language locale translation
language locale translation
locale language i18n l10n
localization i18n translation l10n languages
accessibility a11y screenreader
interface ui api
ui interface screen gui
api interface endpoint
endpoint url route api
route path endpoint
webhook callback notification
rest http api
http web rest
header metadata field
body payload content
payload body message data
status state condition
state status situation stage
stateful state model
model schema representation
log logging journal record
logging log trace output
trace follow track log
track follow monitor trace
monitor watch observe health metrics
metric measurement statistic number
statistic metric figure count stats
dashboard overview monitor graph
health alive status
heartbeat ping alive keepalive
ping heartbeat alive
alive up healthy
graph chart diagram
history past changelog log
changelog history release changes
plan roadmap schedule
strategy plan approach
approach method way strategy
method function way technique
function method procedure routine
feature capability functionality
goal purpose aim
purpose goal use reason
rule convention guideline policy
policy rule behaviour
convention style standard rule
standard convention norm
graceful clean orderly properly polite
force forced compel override
clean cleanup tidy clear
cleanup clean remove tidy
picture image photo
image picture photo
video movie clip film
audio sound music
print pdf paper
pdf print document
mobile phone smartphone
device machine phone hardware
hardware machine equipment requirements
screen display monitor
keyboard shortcut key
shortcut abbreviation quick alias
alias shortcut synonym alternative
short brief abbreviated
variadic multiple many several
several multiple many
multiple several many
many several numerous lots
single one individual alone
individual single each
atomic indivisible whole
whole entire complete full
complete finish done entire
partial incomplete part
part piece portion section fragment
section part chapter
component part module
element item member
item element entry thing
set collection group
tree hierarchy nested
branch fork
worktree checkout branch
checkout branch switch
pull merge request
review inspect check feedback
feedback comment review
delete remove erase drop forget purge discard clear wipe destroy
add insert append create new register
create make build generate produce
change modify edit update alter adjust rewrite
upgrade update migrate migration version release newer patch
release publish version ship deploy deployment rollout tag
deploy deployment rollout production live
downgrade rollback revert previous older undo
install installation setup requirement prerequisite prepare onboarding
start launch run begin boot open initialize
stop end halt quit shut terminate
pause suspend disable
fail failure error broken problem crash fault defect bug issue
crash kill die dead restart abort oom
outage downtime offline unavailable down unreachable interrupted interruption
disaster outage recovery restore backup continuity failover catastrophe
backup snapshot archive copy dump export disaster safeguard
restore recover recovery rebuild continuity disaster
loss lost lose missing disappear vanish
slow fast speed performance latency throughput
scale scaling traffic load capacity growth more visitors cluster horizontal
throughput capacity second performance handle
memory ram leak heap grow
disk storage file drive volume
folder directory path structure layout
database postgres postgresql sqlite store sql table
table row record rows entry
token key secret credential password
credential key token header bearer
leak leaked exposed compromised stolen revoke
rotate rotation replace renew swap exchange revoke
login sign session authenticate authentication enter
logout session
sso sign openid oidc saml identity provider federation corporate
user person people customer account member employee
permission access role right mode allowed readable authorization
factor totp mfa 2fa authenticator otp phone code
expire expiry idle inactive inactivity timeout end
cookie session browser
webhook callback hook notification endpoint
subscribe subscription register notify listen inform event
notification message alert mail email notice inform
alert alarm alerting pager notification wake
mail email smtp message sender
retry again repeat attempt redeliver resend
duplicate twice same double idempotent idempotency repeated repeat
idempotent idempotency repeat resend safe
conflict race collision concurrent meantime simultaneous
order sequence sort arrange
limit maximum most bound quota cap length size
rate throttle throttling limit spread ban overload
timeout deadline expire wait
wait hold block pending
question ask answer query
answer reply response respond
approve approval accept confirm allow
reject refuse deny decline dismiss
permanent durable survive lost lose
save store keep write kept
load read fetch download get pull retrieve
upload import post send
import csv bulk spreadsheet upload many mass batch
list page pagination cursor paging result browse walk iterate
filter search query find look lookup
queue job worker task background broker
broker queue redis kafka rabbitmq messaging
worker process background daemon
thread process concurrent parallel
concurrent simultaneous parallel race once
test check verify try
debug test local localhost troubleshoot
verify check validate validation signature prove authentic genuine
signature hmac signed sign authentic genuine forged
security vulnerability attack secure protect
protect protection guard secure safe
encrypt encryption tls https
privacy personal gdpr pii sensitive forgotten compliance
mask masked redact redaction hide sensitive pii
log logging trace output
metric monitor monitoring alert observability prometheus telemetry dashboard
health status probe
state status condition
config configuration setting option
environment variable env setup
machine computer laptop host localhost local workstation
locally local localhost machine laptop
workstation laptop development environment
server service host backend
client browser frontend caller consumer
api interface endpoint http
interface api endpoint version contract
deprecate deprecated deprecation obsolete old successor version supported support
network connection socket port
connection pool pgbouncer exhausted
plugin extension package module addon
command cli program terminal
branch worktree checkout git
merge combine join integrate
plan phase roadmap step strategy
dependency depend require
document docs documentation guide manual
comment note remark
example sample demo
license licence
company commercial organisation organization business corporate enterprise
translate translation language text wording mapping map
history event log past audit
immutable append rewrite overwritten overwrite correction
correct correction fix wrong incorrect
wrong incorrect error invalid
interrupt cancel abort
rule style convention guideline format lint standard coding
contribute contribution develop development hacking contributor
develop development code source programming
rationale reason decision why context
architecture design decision structure`;
