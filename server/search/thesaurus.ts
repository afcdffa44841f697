// A person says "slides" where a server says "pptx". No catalogue teaches that, so these are the everyday neighbours of
// English for the things that tools do: verbs, file kinds, offices, money, travel, code, media. One line is one idea;
// each of its words finds the others at a discount. General language only: no tool's name, no task of any benchmark.
import { stem } from './words.ts'

const IDEAS = `
delete remove erase drop destroy clear purge discard
create add new make insert
generate create build produce draft compose design
update edit modify change replace revise fix
get fetch retrieve read obtain
show display view present
list enumerate browse
search find lookup query discover
send post submit publish share
save write store export record
download fetch
upload attach
open load
launch start run execute
stop kill terminate cancel abort
copy duplicate clone
move rename relocate
check verify validate inspect test
analyze analysis analyse examine investigate evaluate assess
summarize summary overview brief digest
compare diff difference comparison contrast
convert transform turn
translate translation language
calculate compute math arithmetic equation
estimate calculate
count number amount
merge combine join concatenate
split divide separate
schedule plan arrange organize
remind reminder alert notify notification
recommend recommendation suggest suggestion advice
explain describe introduce
track monitor watch
login auth authentication sign
draw plot render visualize diagram sketch
picture image photo photograph
icon logo symbol
screenshot capture
video clip movie film
audio sound music song
tempo bpm beat rhythm
transcript subtitle caption
powerpoint ppt pptx presentation slide slideshow deck
excel xlsx xls spreadsheet workbook worksheet
word docx doc document
pdf document
csv table spreadsheet
json yaml data
markdown md
text txt
png jpg jpeg gif webp svg image
wav mp3 flac audio
mp4 avi mkv video
folder directory
chart graph plot visualization
flowchart diagram process
mindmap mind
webpage page website site web
link url
browse browser navigate
internet web online
google bing duckduckgo engine web
crawl scrape extract
domain dns registrar
email mail inbox gmail
message chat
calendar event meeting appointment
contact person people
customer client
user account profile
password credential secret token
task todo
issue ticket bug
repository repo github
repository repo git
commit revision
package library module dependency npm
java maven gradle
container docker
database db sql
column field
server host
release version
vulnerability security cve
function method
component widget ui
react frontend ui
terminal shell command console bash
code source programming
documentation docs doc reference manual
weather forecast temperature climate rain snow
time clock date
timezone zone
map location place geographic
address location geocode
coordinate latitude longitude geocode
route direction navigation itinerary
trip travel journey tour itinerary vacation
drive driving car
bike bicycle cycling
walk walking
train rail railway
ticket fare
flight plane airline
hotel accommodation lodging hostel rental listing airbnb
restaurant dining cafe
recipe meal dish cook menu dinner lunch breakfast food
near nearby around close surrounding
commute traffic
price cost quote
value price worth
discount deal bargain cheap coupon
buy purchase shop
currency exchange forex
dollar euro yen yuan usd eur currency
stock share equity ticker symbol
company firm business corporation
crypto cryptocurrency bitcoin coin
bitcoin btc
ethereum eth
gold silver platinum metal asset
dividend payout
revenue income earnings profit financial
financial statement
cash cashflow
invest investment investor portfolio
stock finance
news headline
trend trending popular hot
rank ranking top leaderboard
paper preprint publication study research literature
article news
author writer
book novel
wikipedia wiki encyclopedia
game gaming player
champion character hero
random chance dice lottery
choose pick select sample
disease illness condition cancer
trial clinical
drug medication medicine
gene genetic genome mutation variant
school university education
note memo memory
knowledge graph
remember memory
museum exhibit art artwork
painting art
horoscope zodiac fortune astrology
lunar calendar
dataset data
government gov public
statistic stat
chinese china
bold italic format
font style
heading header title
paragraph text
comment reply discussion
metadata tag exif
`

const neighbours = new Map<string, Set<string>>()
for (const idea of IDEAS.trim().split('\n')) {
  const words = idea.split(' ').map(stem)
  for (const word of words) {
    const known = neighbours.get(word) ?? new Set()
    for (const other of words) if (other !== word) known.add(other)
    neighbours.set(word, known)
  }
}

const NONE: ReadonlySet<string> = new Set()

/** Stemmed words that mean nearly the same as this stemmed word. */
export const neighboursOf = (term: string): ReadonlySet<string> => neighbours.get(term) ?? NONE
