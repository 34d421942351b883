"""The extraction rules for English, in order of precedence. Each reads what follows the subject; "I'm" is read as "am"."""

import re

from memory.lexicon import NATURAL_LANGUAGES, PROGRAMMING, UNITS
from memory.rules import BARE, FAMILY, SELF, WE, Rule, pattern, table

_ANY = frozenset({SELF, BARE})
_OURS = frozenset({SELF, WE, BARE})
_KIN = frozenset({SELF, FAMILY})
_ADV = (
    r"(?:really |absolutely |totally |actually |also |still |just |currently |now |usually |always |mostly |generally |often |mainly |only |definitely |particularly |especially |especially |quite |pretty |very |so |truly |kinda |kind of |sort of "
    r"|honestly |personally |never |deeply |normally |typically |basically |super |both |even |a bit |deathly |severely |mildly |slightly |badly |highly |seriously |proudly |happily |originally |technically )*"
)
_TAIL = r"(?:,? (?:though|tbh|btw|too|as well|really|actually|please|thanks|lol|haha|now|these days|at the moment|right now|a lot|so much|very much|the most|by the way|you know|anyway|like crazy|(?:even )?more than ever|as much as (?:ever|always)|even more|the hotter the better))*\s*$"
_JOB = (
    r"(?:[\w'’&/ -]{0,40}?\b(?:engineer|developer|programmer|designer|architect|analyst|scientist|manager|director|lead|head|officer|assistant|secretary|accountant|bookkeeper|auditor|controller|clerk|lawyer|attorney|paralegal|doctor|physician|surgeon|nurse|paramedic"
    r"|dentist|vet|veterinarian|pharmacist|therapist|psychologist|teacher|professor|lecturer|tutor|librarian|student|intern|researcher|writer|author|journalist|editor|translator|interpreter|illustrator|photographer|artist|musician|singer|actor|dancer|chef|cook|baker"
    r"|barista|waiter|waitress|bartender|farmer|gardener|plumber|electrician|carpenter|mechanic|welder|machinist|driver|pilot|sailor|soldier|firefighter|postman|cop|detective|realtor|agent|broker|banker|trader|consultant|recruiter|salesperson|salesman|saleswoman|cashier|tester"
    r"|technician|operator|administrator|admin|sysadmin|coordinator|planner|treasurer|founder|co-founder|entrepreneur|freelancer|contractor|owner|coach|trainer|biologist|chemist|physicist|economist|geologist|statistician|mathematician|social worker|stay-at-home (?:mom|dad|parent)"
    r"|housewife|homemaker|PM|CTO|CEO|CFO|COO|QA|SRE|DBA|PhD student|grad student|undergrad|postdoc|pastor|priest|judge|politician|electrician|hairdresser|tailor|optician|midwife|caregiver|nanny|janitor|cleaner|curator|producer|animator|copywriter|marketer|specialist|supervisor|foreman|surveyor|estimator|buyer|dispatcher))s?"
)
_NOT_THING = re.compile(
    r"^(?:it\b|that\b|this\b|these|those|them|him|her\b|you|your|how|what|where|when (?:it|that|this|i)\b|who|why|if|(?:the )?(?:first|second|third|last|shorter|longer|new|newer|old|older|other|latest|previous|original|simpler|current|red|blue|green|left|right) ?(?:option|version|one|approach|draft|way|design|solution|paragraph|sentence|suggestion|answer|title|button|line)|the (?:way|idea|sound|look|fact|second|first|new|last|latest|other|third|version|answer|result|part|plan|approach|suggestion|layout|draft|direction)|to (?:know|see|hear|ask|think|go now|get this|have this|be honest|say|point|add|check|try|understand|find)|one\b|more\b|some\b|both|any|an idea|my (?:answer|mistake)|all of|everything|nothing|a lot$)",
    re.IGNORECASE,
)
_NOT_BEING = re.compile(
    r"^(?:(?:not |so |very |really |just |still |also |too |quite |all |a bit |pretty |totally )*(?:sure|sorry|afraid|glad|happy to|happy with|ok|okay|fine|good|great|well|ready|done|back|here|there|hungry|thirsty|tired|bored|busy|late|curious|confused|lost|stuck|aware|interested|wondering|looking|trying|going|using|having|getting|thinking|asking|talking|reading|writing|working on"
    r"|just|about|in a|on it|at a|afraid|impressed|surprised|certain|convinced|guess\w*|wrong|right|kidding|joking|out of|on my way|off|up|home|in the|on the|at the|able|unable|supposed|free|serious|grateful|thankful|calling|checking|testing|hoping|seeing|feeling|doing|coming|leaving|waiting|starting|fed up|all (?:set|ears|good)|in)\b)",
    re.IGNORECASE,
)
_ILL = (
    r"(?:diabet(?:es|ic)|asthma\w*|celiac(?: disease)?|coeliac(?: disease)?|arthritis|migraines?|epilep\w+|hypertension|(?:high|low) blood pressure|insomnia|anemi\w+|eczema|psoriasis|ADHD|autis\w+|dyslexi\w+|alzheimer'?s?|parkinson'?s?|cancer|thyroid\w*|depression|anxiety|bipolar|OCD|PTSD"
    r"|tinnitus|vertigo|IBS|crohn'?s?|lupus|gout|scoliosis|sciatica|(?:bad|weak) (?:knees?|back|hip|eyes|heart)|lactose intoleran\w+|gluten intoleran\w+|pregnan\w+|colou?r[- ]?blind|deaf|blind|near-?sighted|short-?sighted|hard of hearing|dementia|a heart condition|sleep apnea|endometriosis|allergies|hay fever|motion sick\w*|car sick\w*|seasick\w*|stroke|hearing aids?)"
)
_PETS = r"(?:cats?|dogs?|kittens?|pupp(?:y|ies)|rabbits?|bunn(?:y|ies)|hamsters?|parrots?|budgies?|fish|goldfish|turtles?|tortoises?|snakes?|geckos?|lizards?|horses?|pon(?:y|ies)|chickens|hens|goats?|guinea pigs?|ferrets?|beagles?|labradors?|labs?|retrievers?|poodles?|corgis?|huskies|husky|collies?|terriers?|greyhounds?|dachshunds?|pugs?|bulldogs?|shepherds?|spaniels?|tabby|ragdoll|siamese|maine coon)"
_NOT_JOB = re.compile(
    r"\b(?:how|to|and|with|that|in a|the)\b|\b(?!(?:engineering|marketing|nursing|accounting|banking|testing|training|consulting|manufacturing|teaching|building|purchasing|advertising|catering|pricing|mining|publishing|shipping|gaming|computing|operating|visiting|practicing|acting|founding|managing)\b)[a-z]+ing\b",
    re.IGNORECASE,
)
_BAD_JOB = re.compile(r"\b(?:a bit|kind of|sort of|big fan|bit of)\b", re.IGNORECASE)


_LIFE_VERBS = (
    r"sit on the board|serve (?:on|as)|chair|homeschool|bank with|do (?:all )?my (?:banking|shopping|taxes|laundry)|sleep|wake up|get up|go to (?:bed at|church|the gym|mass|therapy)|commute|bike|cycle|swim|jog|play|sing|paint|cook|bake|brew|garden|knit|crochet|volunteer|practice|practise|collect|support|belong to|attend|foster|raise|grow|smoke|vape|invest in|shop at|subscribe to|celebrate|meditate|believe in|do (?:yoga|pilates|crossfit|karate|judo|my own|intermittent|keto|ballet|freelance|night shifts|improv|translation)"
    r"|skip (?:breakfast|lunch|dinner)|struggle with|suffer from|identify as|wear|ride|sail|surf|ski|climb|hike|dance|write (?:poetry|songs|fiction|a blog|for)|coach|mentor|train for|sew|fish|hunt|pray|fast|travel|commute|tutor|work (?:from home|remotely|nights|part[- ]time|shifts|weekends|on weekends|as)"
)
_SESSION = re.compile(
    r"\b(?:error|code|file|link|page|script|function|button|version|answer|question|your|above|below|screenshot|this one|that one)\b",
    re.IGNORECASE,
)


def _thing(value: str) -> bool:
    return not _NOT_THING.match(value) and 1 <= len(value) <= 60


def _likeable(value: str) -> bool:
    return _thing(value) and not re.search(
        r"\b(?:them|it|your|that you|you (?:did|said|wrote)|of that|of this|code is|idea|answer|suggestion|that paragraph|this paragraph)\b",
        value,
        re.IGNORECASE,
    )


def _name(value: str) -> bool:
    return not re.match(
        r"(?:a|an|the|so|not|just|in|on|at|from|here|there|very|really|too|also|all|going|trying|called|it|this|that|me|back|you|later|when|if|old|new)\b",
        value,
        re.IGNORECASE,
    ) and not re.search(r"\b(?:ing|is|was|the|and|not)\b", value)


def _proper(value: str) -> bool:
    return (
        value[:1].isupper()
        and _name(value)
        and not re.match(
            r"(?:I|OK|Okay|Sorry|Yes|No|AFK|TBH|Batman|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|French|German|Italian|Spanish|Polish|Chinese|Dutch|British|American|English|Irish|Scottish|Indian|Russian|Japanese|Korean|Catholic|Muslim|Jewish|Buddhist|Hindu|Christian)\b",
            value,
        )
    )


def _place(value: str) -> bool:
    return not re.match(
        r"(?:a (?:hurry|meeting|rush|bit|mess)|the (?:middle|mood|office|process|car|same|past|moment|dark|loop|zone|fear|shadow)|fear|hope|peace|denial|it\b|that\b|this\b|my (?:head|own|room)|here|there|love|pain|trouble|charge|touch|general|favor|front)",
        value,
        re.IGNORECASE,
    )


def _being(value: str) -> bool:
    return not _NOT_BEING.match(value) and not re.match(r"\w+ing\b", value) and len(value) <= 60


RULES = table(
    Rule(rule="en.name.other", pattern=pattern(r"^my (?:Chinese|English|middle|maiden|nick) ?name(?:'s| is| was|) (?:called )?(?P<v>(?-i:[A-Z\u4e00-\u9fff])[\w'’\u4e00-\u9fff-]*(?: (?-i:[A-Z])[\w'’-]*){0,3})"), attribute="nickname", subjects=frozenset({SELF}), confidence=0.95, firm=True),
    Rule(rule="en.name.is", pattern=pattern(r"^my (?:(?:full|first|last|given|family|real|legal) ?)?name(?:'s| is| was|)(?: changed)? (?:actually |now |called )?(?P<v>(?-i:[A-Z\u4e00-\u9fff])[\w'’\u4e00-\u9fff-]*(?: (?-i:[A-Z])[\w'’-]*){0,3})"), attribute="name", subjects=_KIN, confidence=0.97, firm=True, check=_name),
    Rule(rule="en.name.is.low", pattern=pattern(r"^my name(?:'s| is) (?P<v>[a-z]{2,14})(?:$|,)"), attribute="name", subjects=frozenset({SELF}), confidence=0.9, firm=True, check=_name),
    Rule(rule="en.name.call", pattern=pattern(r"^(?:please |just |you can |everyone |people |friends )*(?:call|calls|address) me (?:as )?(?P<v>(?-i:[A-Z])[\w.'’-]*(?: (?-i:[A-Z])[\w'’-]*){0,2})"), attribute="nickname", subjects=_ANY, firm=True, check=_proper),
    Rule(rule="en.name.prefer", pattern=pattern(r"^(?:would |'d )?(?:prefer|rather|like)(?: it)?(?: if)? (?:you |people |everyone |to be )*(?:to )?(?:just )?(?:call|called|calls)(?: me)? (?P<v>(?-i:[A-Z])[\w'’-]*)"), attribute="nickname", subjects=frozenset({SELF}), check=_proper),
    Rule(rule="en.pronouns", pattern=pattern(r"^(?:go by|use|my pronouns are) (?P<v>(?:they|she|he|xe|ze)/\w+(?:/\w+)?)(?: pronouns)?$"), attribute="pronouns", subjects=frozenset({SELF})),
    Rule(rule="en.lingual", pattern=pattern(r"^am (?:fully )?(?P<v>(?:bi|tri|multi)lingual\b.*)$"), attribute="skill:", subjects=frozenset({SELF})),
    Rule(rule="en.not_person", pattern=pattern(r"^am (?P<neg>not) (?:really )?(?:much of )?an? (?P<v>[\w -]{2,20} (?:person|drinker|eater|smoker|gambler|reader|sleeper|cook|driver|runner|swimmer|flyer))$"), attribute="trait:", subjects=frozenset({SELF}), polarity=False),
    Rule(rule="en.household", pattern=pattern(r"^live (?P<v>(?:with|alone|by myself)\b[^.]{0,60})$"), attribute="household", subjects=_OURS),
    Rule(rule="en.name.am", pattern=pattern(r"^(?:am|go by|am called) (?P<v>(?-i:[A-Z])[a-z'’-]+(?: (?-i:[A-Z])[a-z'’-]+)?)(?: from .*| and .*| here)?$"), attribute="name", subjects=frozenset({SELF}), confidence=0.85, check=_proper),
    Rule(rule="en.age", pattern=pattern(r"^(?:am|just turned|turned|have just turned|will be|am turning) (?:only |already |now |almost |actually )?(?P<v>\d{1,2})(?: years? old| yrs? old| yo)?(?: (?:and|now|this|next|in|forever|years)\b.*|,.*|\.?)$"), attribute="age", subjects=_KIN, firm=True, confidence=0.92),
    Rule(rule="en.age.bare", pattern=pattern(r"^(?P<v>[1-9]\d)(?: years? old| yo)?$"), attribute="age", subjects=frozenset({BARE}), firm=True, confidence=0.8),
    Rule(rule="en.birthday", pattern=pattern(r"^my birthday(?:'s| is)? (?:on |falls on |is )*(?:the )?(?P<v>.{0,12}\d.{0,16}|.{3,24}(?:january|february|march|april|may|june|july|august|september|october|november|december).{0,6})$"), attribute="birthday", subjects=_KIN, confidence=0.95, firm=True),
    Rule(rule="en.born", pattern=pattern(r"^(?:was|am|were) born (?:on |in )(?P<v>.{0,20}\d{2,4}.{0,8})$"), attribute="birthday", subjects=_KIN),
    # health and diet
    Rule(rule="en.allergy.no", pattern=pattern(rf"^(?:am|have) (?P<neg>not|no longer|never been|no) (?:actually )?(?:allergic to|allergy to|allergies to) (?P<v>[^,.]{{2,40}}?)(?: anymore| any ?more)?{_TAIL}"), attribute="allergy:", subjects=_KIN, polarity=False),
    Rule(rule="en.allergy", pattern=pattern(rf"^(?:am|have been|was diagnosed as) {_ADV}allergic to (?P<v>[^.]{{2,60}}?){_TAIL}"), attribute="allergy:", subjects=_KIN, confidence=0.97, many=True),
    Rule(rule="en.allergy.have", pattern=pattern(r"^(?:have|have got|got|suffer from) (?:a |an |really |bad |severe |mild |serious )*(?P<v>[\w ]{2,24}?) (?:allergy|allergies|intolerance)\b.*$"), attribute="allergy:", subjects=_KIN, confidence=0.95),
    Rule(rule="en.allergy.to", pattern=pattern(r"^(?:have|have got) (?:a |an |severe |bad )*(?:allergy|intolerance) to (?P<v>[^,.]{2,40})$"), attribute="allergy:", subjects=_KIN, many=True),
    Rule(rule="en.diet.cannot", pattern=pattern(r"^(?P<neg>can't|cannot|can not) (?:eat|have|digest|drink) (?P<v>[^,.]{2,40})$"), attribute="diet:", subjects=frozenset({FAMILY}), polarity=False),
    Rule(rule="en.family.school", pattern=pattern(r"^(?:go to|goes to|attends?|started at|study at|studies at) (?P<v>(?-i:[A-Z])[\w' ]{2,40})$"), attribute="school", subjects=frozenset({FAMILY})),
    Rule(rule="en.family.grade", pattern=pattern(r"^am (?:now )?(?:in|at) (?P<v>(?:the )?\w+ (?:grade|year)|kindergarten|preschool|college|university|middle school|high school)\b.*$"), attribute="school", subjects=_KIN),
    Rule(rule="en.work.mode", pattern=pattern(r"^(?:always |mostly |usually )?work (?P<v>remotely|from home|part[- ]time|full[- ]time|nights|shifts|freelance|weekends|evenings)$"), attribute="work mode", subjects=frozenset({SELF})),
    Rule(rule="en.bought", pattern=pattern(r"^(?:have )?(?:just |finally |recently )*(?:bought|got|purchased|rented) (?:an? |our |my |ourselves an? |myself an? )(?P<v>(?:new |used |first |old |second-hand |small |\w+ )*(?:house|flat|apartment|condo|car|truck|bike|motorbike|boat|piano|guitar|camera|laptop|phone|puppy|kitten|dog|cat))\b.*$"), attribute="owns:", subjects=_OURS),
    Rule(rule="en.health.surgery", pattern=pattern(r"^(?:have |just )?had (?:a |an |my )?(?P<v>(?:[\w-]+ ){0,3}(?:surgery|operation|transplant|c-section|heart attack|stroke|bypass|replacement))\b.*$"), attribute="health:", subjects=_KIN),
    Rule(rule="en.diet.left", pattern=pattern(r"^(?:am|eat) (?P<neg>not|no longer)(?: a| an)? (?P<v>vegan|vegetarian|pescatarian|keto|gluten[- ]free|kosher|halal)(?: any ?more| now)?$"), attribute="diet", subjects=_KIN, polarity=False, supersedes=True),
    Rule(rule="en.diet.meat_again", pattern=pattern(r"^(?:now )?(?:am eating|eat|started eating|have started eating|started to eat) meat(?: again| now)+$"), attribute="diet", constant="vegetarian", subjects=_KIN, polarity=False, supersedes=True),
    Rule(rule="en.diet", pattern=pattern(rf"^(?:am|have been|went|eat|follow|keep|became|turned) {_ADV}(?:a |an |on a |strictly |strict |lifelong )*(?P<v>vegan|vegetarian|veggie|pescatarian|keto|paleo|gluten[- ]free|dairy[- ]free|kosher|halal|low[- ]carb|plant[- ]based|flexitarian|carnivore|low[- ]sodium|sugar[- ]free)\b.*$"), attribute="diet", subjects=_KIN, confidence=0.94),
    Rule(rule="en.health", pattern=pattern(rf"^(?:am|have|have got|have been|suffer from|was diagnosed with|got diagnosed with|live with|wear|get|have had) {_ADV}(?:a |an |some |mild |severe |chronic |type [12] |slightly |partially |early |bad )*(?P<v>(?:type [12] )?{_ILL})\b.*$"), attribute="health:", subjects=_KIN, confidence=0.9),
    Rule(rule="en.health.medicine", pattern=pattern(r"^(?:am|take) on (?P<v>metformin|insulin|statins?|blood thinners?|antidepressants|[a-z]+(?:ine|ol|in|pril|one)) ?.*$"), attribute="health:", subjects=_KIN, confidence=0.8, check=lambda v: len(v) > 5),
    Rule(rule="en.hand", pattern=pattern(rf"^am {_ADV}(?P<v>left[- ]handed|right[- ]handed|ambidextrous|an? (?:night owl|early bird|morning person|introvert|extrovert)){_TAIL}"), attribute="trait:", subjects=_KIN),
    Rule(rule="en.fear", pattern=pattern(rf"^(?:am|have been) {_ADV}(?:scared|terrified|afraid|frightened|petrified) of (?P<v>[^,.]{{2,30}}?)(?: so .*)?{_TAIL}"), attribute="trait:", subjects=_KIN, check=_thing),
    # where
    Rule(rule="en.city.left", pattern=pattern(r"^(?P<neg>don't|do not|no longer) live in (?P<v>[^,.]{2,40}?)(?: any ?more)?$"), attribute="city", subjects=_ANY, polarity=False, supersedes=True),
    Rule(rule="en.city.moved", pattern=pattern(r"^(?:have |just |recently |finally )*(?:moved|relocated) (?:back |over |down |up |out )?(?:to|into) (?P<v>[A-Z\u4e00-\u9fff][\w'’ -]{1,30}?)(?: (?:last|this|in|a|two|three|four|five|six|seven|eight|ten|\d+|for|with|when|because|recently|years?|months?)\b.*)?$"), attribute="city", subjects=_OURS, supersedes=True),
    Rule(rule="en.city", pattern=pattern(rf"^(?:am |have been |have )?{_ADV}(?:live|living|reside|based|settled|located|lived)(?: now| currently)? (?:in|at|on|near|outside|just outside|out of) (?:a (?:tiny |small |big )?(?:flat|house|apartment) in )?(?P<v>[^,.]{{2,40}}?)(?: with .*| and .*| since .*| these days| now| at the moment| for .*)?$"), attribute="city", subjects=frozenset({SELF, WE, BARE, FAMILY}), confidence=0.93, check=_place),
    Rule(rule="en.city.in", pattern=pattern(r"^am (?:currently |now )?(?:in|from) (?P<v>(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+){0,2}) (?:these days|now|at the moment|full[- ]time|permanently|currently)$"), attribute="city", subjects=frozenset({SELF})),
    Rule(rule="en.hometown", pattern=pattern(r"^(?:(?:am|come|hail) (?:originally |actually )?from|(?:was|were|am) (?:born and raised|raised|born) in) (?P<v>(?-i:[A-Z])[\w'’ -]{1,30}?)(?: but .*| and .*| originally)?$"), attribute="hometown", subjects=frozenset({SELF}), confidence=0.9),
    Rule(rule="en.grew_up", pattern=pattern(r"^(?:grew up|was raised) (?:in|on|near) (?P<v>[^,.]{2,40})$"), attribute="hometown", subjects=_ANY, confidence=0.93),
    # work and study
    Rule(rule="en.employer.joined", pattern=pattern(r"^(?:have )?(?:just |recently )?(?:left|quit) (?-i:[A-Z])[\w&'’ -]{1,30}? (?:(?:and|to|for)(?: then)? )(?:(?:have )?(?:just )?(?:join(?:ed)?|started (?:at|with)|moved to|went to|work at|am (?:now )?(?:at|with)) )?(?P<v>(?-i:[A-Z])[\w&'’ -]{1,30})$"), attribute="employer", subjects=frozenset({SELF}), supersedes=True),
    Rule(rule="en.employer.left", pattern=pattern(r"^(?:have )?(?:just |recently )?(?:left|quit) (?P<v>(?-i:[A-Z])[\w&'’ -]{1,30})$"), attribute="employer", subjects=frozenset({SELF}), polarity=False, supersedes=True),
    Rule(rule="en.employer.now", pattern=pattern(r"^(?:am|work) (?:now )?(?:at|with) (?P<v>(?-i:[A-Z])[\w&'’ -]{1,30}?) now$"), attribute="employer", subjects=frozenset({SELF}), supersedes=True),
    Rule(rule="en.employer", pattern=pattern(rf"^(?:am |have been )?{_ADV}(?:work|working|employed) (?:part[- ]time |full[- ]time |remotely |nights? |days |shifts |weekends |the night shift )?(?:for|at|with|in|by) (?P<v>[^.]{{2,60}}?)(?: for (?:\d+|two|three|four|five|ten|many) years?| since .*)?{_TAIL}"), attribute="employer", subjects=frozenset({SELF, BARE}), confidence=0.9,
         check=lambda v: not re.match(r"(?:the (?:moment|time|background|dark|wrong)|it\b|that\b|this\b|me\b|you|all|once|first|least|home|my |night|a (?:fix|solution|bug|project|report)|progress|now|some|any|two|pairs|teams|parallel|sprints)", v, re.IGNORECASE)),
    Rule(rule="en.job.promoted", pattern=pattern(r"^(?:was |got |have been |have just been |am being )*(?:promoted|made|appointed|elected)(?: to)? (?P<v>[^,.]{3,30}?)(?: (?:in|last|this|on) .*)?$"), attribute="job", subjects=frozenset({SELF}), supersedes=True),
    Rule(rule="en.job", pattern=pattern(rf"^(?:am|work as|have been|got a job as|trained as|am working as|was hired as) {_ADV}(?:an? |the |our )?(?P<v>{_JOB})(?P<rest>(?:[ ,].{{0,70}})?)$"), attribute="job", subjects=_KIN, confidence=0.93, check=lambda v: not _BAD_JOB.search(v) and not _NOT_JOB.search(v) and not re.match(r"(?:looking|talking|waiting|going|meeting|not|sure)", v)),
    Rule(rule="en.retired", pattern=pattern(r"^(?:am|have) (?:been )?(?P<v>retired|unemployed|between jobs|self-employed|semi-retired|on maternity leave|on parental leave)\b.*$"), attribute="job", subjects=_KIN),
    Rule(rule="en.job.teach", pattern=pattern(r"^(?P<v>(?:teach|run|own|manage|coach|lead) (?:a |an |my own |the |our |some )?[^,.]{3,40}?)(?: with .*)?$"), attribute="job", subjects=frozenset({SELF}), confidence=0.85, check=lambda v: not re.search(r"\b(?:it|this|that|you|tests?|scripts?|command|code|into|out|errands|late|marathon|up)\b", v)),
    Rule(rule="en.study", pattern=pattern(r"^(?:am |have been )?(?:doing|studying|pursuing|getting|finishing|reading for|working on|in the (?:first|second|third|final) year of) (?:for )?(?:an? |my |the )?(?P<v>(?:PhD|master'?s|bachelor'?s|MBA|MSc|BSc|degree|doctorate|apprenticeship|GED|A[- ]levels)[^,.]{0,50})$"), attribute="school", subjects=_KIN),
    Rule(rule="en.studied", pattern=pattern(r"^(?:am )?(?:study|studied|studying|majored in|major in|graduated (?:in|from)|have a degree in|go to|went to school at) (?P<v>[^,.]{3,40}?)(?: (?:at|but|in college|and) .*)?$"), attribute="major", subjects=frozenset({SELF}), confidence=0.85, check=lambda v: not re.match(r"(?:the|it|this|that|bed|sleep|work|lunch)\b", v)),
    Rule(rule="en.ended_up", pattern=pattern(rf"^(?:ended up|now I'm) (?:doing|in|as an?) (?P<v>{_JOB}|[A-Za-z ]{{2,20}})$"), attribute="job", subjects=_ANY, confidence=0.8),
    # people, animals, things
    Rule(rule="en.relationship", pattern=pattern(r"^(?:am|got|have got|have just got|have gotten) (?:now |newly |recently |still |already |currently |happily |just )*(?P<v>married|single|divorced|engaged|widowed|separated)(?: now| again)*$"), attribute="relationship", subjects=frozenset({SELF})),
    Rule(rule="en.family.status", pattern=pattern(rf"^am {_ADV}(?P<v>married|single|divorced|engaged|widowed|separated|an only child|expecting|a (?:single )?(?:mom|mum|dad|mother|father|parent|grandmother|grandfather)[^,.]{{0,20}})\b(?P<rest>.{{0,30}})$"), attribute="family", subjects=frozenset({SELF})),
    Rule(rule="en.pet", pattern=pattern(rf"^(?:have|have got|got|own|adopted|just adopted|recently adopted|live with)(?: got)? (?:an? |two |three |four |five |six |some |our |my |\d+ )?(?P<v>(?:[\w'-]+ ){{0,3}}?{_PETS})\b(?P<rest>.{{0,40}})$"), attribute="pet:", subjects=_OURS, confidence=0.92),
    Rule(rule="en.family.have", pattern=pattern(r"^(?:have|have got)(?: got)? (?P<v>(?:an? |two |three |four |five |\d |twin |a pair of |no )?(?:\w+ ){0,2}(?:kids?|children|sons?|daughters?|brothers?|sisters?|siblings?|twins?|grandkids|grandchildren|toddlers?)\b[^.]{0,30})$"), attribute="family", subjects=frozenset({SELF, WE})),
    Rule(rule="en.drive.no", pattern=pattern(r"^(?P<neg>don't|do not|can't|cannot|never learned to) (?P<v>drive|swim|cook|ride a bike|code|ski|dance|speak \w+)(?:,.*| at all| any ?more|$)"), attribute="skill:", subjects=frozenset({SELF}), polarity=False),
    Rule(rule="en.drive", pattern=pattern(r"^(?:drive|ride|own|have got|got|bought|just bought) (?:an? |my )?(?P<v>(?:old |new |used |vintage |\d{4} )*(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z0-9])[\w-]*){0,3}(?: (?:car|bike|van|truck|camera|guitar))?)$"), attribute="owns:", subjects=frozenset({SELF})),
    Rule(rule="en.speak", pattern=pattern(r"^(?:can )?(?:also )?(?:speak|know|read|am fluent in|am learning|understand) (?:fluent |decent |some |a little |basic |native )?(?P<v>(?-i:[A-Z])[a-z]+(?:(?:,? and |, )(?:decent |some |a little |a bit of |basic )?(?-i:[A-Z])[a-z]+)*)(?: .{0,24})?$"), attribute="skill:", subjects=frozenset({SELF}), check=lambda v: bool(re.search(r"(?:ish|ese|ian|ean|ch|an|ic|Hindi|Urdu|Thai|Tamil|Swahili|Greek|Dutch|Hebrew|Welsh|Python|Rust|Java)\b", v))),
    Rule(rule="en.size", pattern=pattern(r"^(?:am |wear (?:a )?|take a )(?P<v>(?:\d['’]\d{1,2}[\"”]?|\d{3} ?cm|size \w+|an? (?:small|medium|large|extra large|size \w+))[^.]{0,40})$"), attribute="body:", subjects=frozenset({SELF})),
    Rule(rule="en.number", pattern=pattern(r"^my (?P<a>(?:employee|member(?:ship)?|locker|room|desk|badge|student|customer|extension|flat|apartment|seat|gate|account|shoe|ring|shirt|dress|frequent flyer|passport|licen[cs]e plate|phone|parking|email|e-mail|home|work|mailing)(?: \w+)? ?(?:number|no\.?|id|size|address|code|spot|plate|extension|email)?|address|email|zip ?code|postcode|time ?zone|username|handle)(?: is|'s|:) (?P<v>[^,]{1,50})$"), attribute="{a}", subjects=frozenset({SELF}), confidence=0.92, check=lambda v: bool(re.search(r"[A-Z0-9@#]", v))),
    # goals
    Rule(rule="en.goal.is", pattern=pattern(r"^my (?:\w+ ){0,2}(?:goal|dream|aim|ambition|target|resolution|plan)(?: for \w+| this \w+| for this year)?(?:'s| is) (?:to )?(?P<v>[^.]{3,60})$"), attribute="goal:", subjects=frozenset({SELF})),
    Rule(rule="en.goal.plan", pattern=pattern(r"^(?:am |have |do )?(?:still )?(?:plan|planning|intend|decided|hope|aim|aiming|set out|determined|resolved) (?P<neg>not )?(?:to|on) (?P<v>(?!get back|ask|say|see|try this|go with|use|do this|do it|check|think|be honest|look)[^.]{3,60})$"), attribute="goal:", subjects=frozenset({SELF}), confidence=0.85),
    Rule(rule="en.goal.train", pattern=pattern(r"^am (?:currently |now )?(?:training for|studying for|preparing for|saving (?:up )?for|learning|trying to(?= (?:lose|quit|learn|save|gain|get pregnant|run|read|write a|cut|stop|eat|sleep|become|build a|grow))|working towards?) (?P<v>[^.]{2,60})$"), attribute="goal:", subjects=_ANY, confidence=0.87, check=_thing),
    Rule(rule="en.goal.want", pattern=pattern(r"^(?:really |also |still )*(?:want|would love|hope) to (?P<v>(?:learn(?! from (?:him|her|you|it))|become|save|lose|quit|retire|run|write a|visit|travel|buy a|get (?:a|my|into)|start (?:a|my)|finish my|master|move|study|improve my|read more|stop)\b[^.]{2,60})$"), attribute="goal:", subjects=frozenset({SELF}), confidence=0.82),
    # preferences
    Rule(rule="en.seat", pattern=pattern(r"^(?:prefer|like|want|love|always (?:take|book|pick|choose)|take|would like|need)? ?(?:the |an? )?(?P<v>window|aisle|middle|front row|exit row|bulkhead)(?: seats?)\b.*$"), category="preference", attribute="seat", subjects=_ANY, confidence=0.94),
    Rule(rule="en.style.conclusion", pattern=pattern(r"^(?:like|prefer|want) (?:to (?:get|have|see|read|hear) )?(?:the )?(?P<v>(?:conclusion|summary|answer|short|brief|concise|detailed|bullet points?)[^.]{0,60})$"), category="preference", attribute="style", subjects=frozenset({SELF}), check=lambda v: _thing(v) and not re.search(r"\b(?:your|you)\b", v)),
    Rule(rule="en.units", pattern=pattern(rf"^(?:prefer|use|like|think in) (?P<v>(?:{UNITS})[^.]{{0,24}})$"), category="preference", attribute="units", subjects=_ANY),
    Rule(rule="en.likes.rather", pattern=pattern(rf"^(?:would|always|usually|prefer|prefer to|stay|{_ADV})*(?:rather |sooner |prefer to |prefer )?(?:take|eat|drink|use|stay in|stay at|go by|have|watch|fly|do)? ?(?:the |an? )?(?P<v>[^,.]{{2,30}}?) (?:rather than|instead of|over|than) (?!ever\b)(?P<w>[^,.]{{2,30}}?){_TAIL}"), category="preference", attribute="likes:", subjects=frozenset({SELF}), check=_likeable),
    Rule(rule="en.likes.no_more", pattern=pattern(r"^(?P<neg>no longer|(?:don't|do not|can't)(?=.* any ?more$)|have stopped|stopped|quit|gave up|have given up|have quit) (?:like|love|eat|eating|drink|drinking|enjoy|use|using|do|play|smoke|smoking|watch|)? ?(?P<v>[^,.]{2,30}?)(?: any ?more)?$"), category="preference", attribute="likes:", subjects=frozenset({SELF}), polarity=False, supersedes=True,
         check=lambda v: _likeable(v) and not re.match(r"(?:think|know|understand|see|want|need|have|get|remember|mind|care|believe|feel|work|live|sure|agree|recall|worry|stand|do|like|love|eat|drink|enjoy|use|wait|find|make|say|tell|figure|open|drive|trust|really|help|even|be|go|come|speak|hear|read|write|run|take|seem|mean|buy|log|access|download)\b|\w+ing (?:the|this|that|my|it)\b", v)),
    Rule(rule="en.likes.used_to", pattern=pattern(r"^used to (?:like|love|enjoy|eat|drink) (?P<v>[^,.]{2,30}?)(?: but .*)?$"), category="preference", attribute="likes:", subjects=frozenset({SELF}), polarity=False, supersedes=True),
    Rule(rule="en.dislikes", pattern=pattern(rf"^{_ADV}(?P<neg>(?:don't|do not|never|didn't|can't|cannot|won't) {_ADV}(?:like|love|eat|drink|enjoy|touch|buy|do|stand|tolerate|wear|use|watch|smoke|care for|stomach|abide|have)|hate|dislike|loathe|detest|despise|can't bear|avoid)(?: to| eating| drinking| the (?:taste|smell|sound) of)? (?P<v>[^.]{{2,50}}?){_TAIL}"), category="preference", attribute="likes:", subjects=_ANY, polarity=False, confidence=0.92, many=True,
         check=lambda v: _likeable(v) and not re.match(r"(?:access|time|to\b|a clue|permission|a question|any\b|anything (?:to|else|like|about)|anyone|much|enough|the (?:time|option|file|same|latest|link|right)|an? (?:account|idea|problem|way|choice|option))", v)),
    Rule(rule="en.dislikes.fan", pattern=pattern(rf"^(?:am )?{_ADV}(?P<neg>not|no|never|never been)(?: been| really| much of| that| too| a| big| huge| very)*? (?:fan of|keen on|into|fond of|crazy about|wild about|a fan of|comfortable with|good with) (?P<v>[^,.]{{2,70}}?){_TAIL}"), category="preference", attribute="likes:", subjects=_ANY, polarity=False, check=_likeable),
    Rule(rule="en.likes.favourite", pattern=pattern(r"^my (?:all-time |absolute )?fav(?:ou?rite)? (?P<a>[\w ]{2,24}?)(?:'s| is| are) (?:definitely |probably )?(?P<v>[^.]{2,50})$"), category="preference", attribute="favourite {a}", subjects=frozenset({SELF})),
    Rule(rule="en.likes.fan", pattern=pattern(rf"^am {_ADV}(?:a (?:big |huge |massive |real )?(?:fan of|sucker for)|(?:more of )?an? (?=[\w ]{{2,16}} (?:person|lover|guy|girl|addict|fan|nerd|buff)\b)|into|keen on|fond of|crazy about|obsessed with|addicted to|passionate about|hooked on) ?(?P<v>[^.]{{2,50}}?)(?: (?:person|lover|guy|girl|addict|fan|nerd|buff))?{_TAIL}"), category="preference", attribute="likes:", subjects=frozenset({SELF}), check=_likeable),
    Rule(rule="en.likes.my", pattern=pattern(rf"^(?:{_ADV})(?:like|take|drink|have|prefer|want) my (?P<a>coffee|tea|steak|eggs|toast|pizza|burger|curry|whisky|whiskey|food|showers?|meat|music|news)s? (?P<v>[^.]{{2,40}})$"), category="preference", attribute="likes:", subjects=frozenset({SELF})),
    Rule(rule="en.likes.when", pattern=pattern(r"^(?:really |do )?(?:like|love|prefer|appreciate) it when (?P<v>(?!you (?:said|did|explained))[^.]{3,60})$"), category="preference", attribute="likes:", subjects=frozenset({SELF})),
    Rule(rule="en.hates.when", pattern=pattern(r"^(?P<neg>hate|dislike|can't stand|don't like)(?: it)? when (?P<v>(?!it\b|that\b|this\b)[^.]{3,60})$"), category="preference", attribute="likes:", subjects=frozenset({SELF}), polarity=False),
    Rule(rule="en.rather_not", pattern=pattern(r"^would (?P<neg>rather not|prefer not to) (?P<v>(?!say|answer|talk about)[^.]{3,60})$"), category="preference", attribute="likes:", subjects=frozenset({SELF}), polarity=False),
    Rule(rule="en.disagrees", pattern=pattern(r"^(?P<v>[\w ]{3,30}?) (?P<neg>doesn't|don't|does not|do not) agree with me$"), category="user_profile", attribute="diet:", subjects=frozenset({BARE}), polarity=False),
    Rule(rule="en.likes.only", pattern=pattern(r"^(?:really |usually )?only (?:ever )?(?:drink|eat|wear|use|buy|fly|listen to|watch|read|shop at|cook with) (?P<v>[^.]{2,40})$"), category="preference", attribute="likes:", subjects=frozenset({SELF}), check=_likeable),
    Rule(rule="en.likes.none", pattern=pattern(r"^(?P<neg>no) (?P<v>[a-z][a-z ]{2,20}?) (?:please(?=,? ever$)|on (?:anything|mine|my \w+)|in (?:anything|mine|my \w+)|for me)(?:,.*|,? ever| please)?$"), category="preference", attribute="likes:", subjects=frozenset({BARE}), polarity=False, check=lambda v: not re.match(r"(?:problem|worries|more|need|thanks|idea|rush|luck|sleep|comment|way)\b", v)),
    Rule(rule="en.likes.take", pattern=pattern(r"^(?:only )?(?:take|drink|put) (?P<v>(?:oat|soy|almond|skim|whole|no) milk|(?:no|two|one|three) sugars?|[^,.]{2,20} in my (?:coffee|tea))(?: .*)?$"), category="preference", attribute="likes:", subjects=frozenset({SELF})),
    Rule(rule="en.likes", pattern=pattern(rf"^(?:(?:have |would )?always (?=lov|lik|enjoy|ador|prefer)|have |would always )?{_ADV}(?:started )?(?:(?<=always )(?:loved|liked|enjoyed|adored|preferred)|like|love|adore|enjoy|prefer|eat|fancy|dig|appreciate|liking|loving|enjoying|cherish)(?! to (?:know|ask|see|hear|get|have|update|book))(?: eating| drinking| watching| playing| to (?:eat|drink|watch|play))? (?P<v>[^.]{{2,60}}?)(?:, (?:usually|mostly|especially|particularly|could|always|the|my)\b.*| but .*)?{_TAIL}"), category="preference", attribute="likes:", subjects=frozenset({SELF}), confidence=0.9, many=True, check=_likeable),
    Rule(rule="en.fly", pattern=pattern(r"^always (?:fly|stay at|shop at|order from|buy|book|eat at|travel with) (?P<v>[^,.]{2,30}?)(?: because .*)?$"), category="preference", attribute="likes:", subjects=_OURS),
    Rule(rule="en.listen", pattern=pattern(rf"^{_ADV}(?:listen to|read|watch|play|collect|follow) (?P<v>[^.]{{2,40}}?)(?: (?:while|when|every|before|after|on) .*)?$"), category="preference", attribute="likes:", subjects=frozenset({SELF}), confidence=0.75, check=lambda v: _likeable(v) and not re.match(r"(?:the|your|it|through|up|about|my|along|around|by|with|an? (?:article|email|book|file|video|doc))\b", v)),
    # tools
    Rule(rule="en.programming", pattern=pattern(rf"^{_ADV}(?:code|program|write|work|develop|use|am coding|am working) (?:mostly |mainly )?(?:in |with )?(?P<v>{PROGRAMMING})\b[^.]{{0,30}}$"), category="preference", attribute="programming_language", subjects=frozenset({SELF})),
    Rule(rule="en.tool", pattern=pattern(r"^(?:always |mostly |mainly |usually |have always |daily )*(?:use|using|am on|switched to|have switched to|run|write (?:my notes|everything|all my \w+|code) in|take notes in|do everything in|write my \w+ in) (?P<v>(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z])[\w.+#-]*){0,2}(?: shell)?)(?: (?:for|as|on|to|and|so|with|daily|every)\b.*)?$"), category="preference", attribute="tool:", subjects=frozenset({SELF, BARE}), confidence=0.85),
    # schedule-like and the rest about oneself
    Rule(rule="en.self.number_floor", pattern=pattern(r"^(?:live|am) on (?P<v>the \w+ floor[^.]{0,30})$"), attribute="home", subjects=_OURS),
    Rule(rule="en.self.trait", pattern=pattern(r"^am (?:an? |the )(?P<v>[^.]{3,60})$"), attribute="trait:", subjects=frozenset({SELF}), confidence=0.75, check=lambda v: _being(v) and not re.match(r"(?:bit|little|lot|big fan|huge fan|fan|new here|beginner|idiot|moron|genius|wreck|mess|first[- ]timer|n00b|newbie|fool|step|few|same|only one|one|mix|part of|believer|work in progress|firm|total|complete|huge|big)\b", v)),
    Rule(rule="en.self.have", pattern=pattern(r"^(?:also |still )?(?:have|have got|own|rent) (?P<v>(?:an? |two |three |four |my own |\d+ )(?:[\w'-]+ ){0,3}?(?:house|cabin|cottage|apartment|flat|condo|garden|farm|boat|car|truck|van|bike|motorbike|motorcycle|piano|guitar|camera|degree|mortgage|loan|visa|passport|pacemaker|tattoo|blog|podcast|channel|shop|store|business|company|startup|side (?:job|gig|hustle|project)|newborn|garage|greenhouse|allotment|3d printer|kindle|ps5|xbox|switch|license|licence|certificate|black belt)s?\b[^.]{0,40})$"), attribute="owns:", subjects=_OURS, confidence=0.8),
    Rule(rule="en.self.lives", pattern=pattern(rf"^(?:{_ADV})(?P<v>(?:{_LIFE_VERBS}) (?!it\b|that\b|this\b|them\b|the (?:code|script|file|link|test|command|page|button|error|function|program|app)|your\b|you\b|to see|to bed|now\b|some\b)[^.]{{2,60}})$"), kind="semantic", category="user_profile", subjects=frozenset({SELF, WE}), confidence=0.72, check=lambda v: not _SESSION.search(v)),
)  # fmt: skip

OWN = table(
    Rule(rule="en.own", pattern=pattern(r"^my (?P<a>(?!mistake|bad|god|goodness|question|guess|point|apolog|problem|issue|word|turn|understanding|concern|thought|idea|opinion|answer|hope|pleasure|life|day|computer|code|file|screen|head|fault|best|name|query|main|next|first|last|boss|only|intent|impression|suggestion|favou?rite|plan)[\w' -]{2,24}?)(?: is called|'s called| is named| is|'s| are) (?P<v>[^.]{2,50})$"), attribute="{a}", subjects=frozenset({SELF}), confidence=0.78,
         check=lambda v: bool(re.match(r"(?-i:[A-Z0-9#\u4e00-\u9fff])|(?:an?|the|in|on|at|from|named|called|name is|size|about|around) ", v)) and not re.match(r"(?:not|so|too|very|killing|broken|acting|being|getting|going|down|about|that|to\b|why|how|slow|late|like\b|been|awesome|amazing|super|working|fine|ok|good|great|bad|weird|ready|done|gone|stuck|just|still|really|always|here|there|off|on\b|in\b|crash\w*|what|\w+ing\b)", v)),
)  # fmt: skip

FACTS = table(
    Rule(rule="en.fact.decided", pattern=pattern(r"^(?:(?:have |had )?(?:finally |all |just )*(?:decided|agreed|settled|picked|chose|choose|voted|switched|standardi[sz]ed|went with|are going with|are using|use|are switching|opted)) (?:to go with |to use |to switch to |on |with |that |to |for )?(?P<v>[^.]{2,70})$"), category="domain_knowledge", confidence=0.85, subjects=frozenset({WE}), check=lambda v: not re.match(r"(?:it\b|this\b|that\b|me\b|you)", v)),
    Rule(rule="en.fact.team", pattern=pattern(r"^(?:the |our )?(?:team|company|board|committee|client|department|group)(?: has| have)? (?:finally )?(?:decided|agreed|settled|picked|chose|voted|switched|standardi[sz]ed)(?: (?:on|to|that|for))? (?P<v>[^.]{2,70})$"), category="domain_knowledge", confidence=0.85),
    Rule(rule="en.fact.project", pattern=pattern(rf"^(?:the |our |my )?(?P<t>new (?:project|service|app|product|repo|codebase))s? (?:is|are|will be|is going to be|uses?) (?:all |written |built |done )*(?:in )?(?P<v>{PROGRAMMING})\b.{{0,20}}$"), category="preference", attribute="programming_language", confidence=0.9),
    Rule(rule="en.fact.policy", pattern=pattern(r"^(?:our|the|my company's|company) (?:\w+ ){0,2}(?:policy|convention|limit|cap|rule|standard|process|budget|deadline|guideline|coding style|style guide)s? (?:is|are|caps?|says|requires?|allows?|limits?|for|states) (?P<v>[^.]{2,80})$"), category="domain_knowledge", confidence=0.87),
    Rule(rule="en.fact.technical", pattern=pattern(r"^(?:the |our )?(?P<a>[\w -]{0,30}?\b(?:port|server|database|endpoint|repo|branch|domain|version|codename|code name|legal name|budget|ssid|hostname|cluster|bucket|queue|environment|deadline|account manager|fiscal year|office|warehouse|headquarters)) (?:is|listens on|runs on|lives at|lives in|is called|is named|is at|is on|uses|starts|ends)(?: now)? (?P<v>(?:[^.]|\.(?=\w)){1,60})$"), category="domain_knowledge", attribute="{a}", confidence=0.87,
         check=lambda v: not re.match(r"(?:down|not|broken|slow|full|fine|up$|acting|throwing|failing|still|the problem|what|timing|wrong|too|very|so\b)", v)),
    Rule(rule="en.fact.claims", pattern=pattern(r"^(?:all )?(?P<a>(?:claims|invoices|expenses|payments|orders|purchases|contracts|requests|payroll|returns)[^.]{0,24}?) (?P<v>(?:need|needs|require|requires|must|close|closes|go|goes|are due|is due|are paid)\b[^.]{3,60})$"), category="domain_knowledge", confidence=0.85),
    Rule(rule="en.fact.called", pattern=pattern(r"^(?:the |our )(?P<a>[\w' -]{2,30}?) (?:is called|is named|goes by) (?P<v>[^.]{2,50})$"), category="domain_knowledge", attribute="{a}", confidence=0.85),
    Rule(rule="en.fact.we_process", pattern=pattern(r"^(?:always |usually |generally )?(?P<v>(?:squash|lint|deploy|release|ship|merge|review|test|tag|branch|rebase|write|document|track|log|keep)\b[^.]{4,60})$"), category="preference", kind="procedural", subjects=frozenset({WE}), confidence=0.8),
)  # fmt: skip

WAYS = table(
    Rule(rule="en.way.language", pattern=pattern(rf"^(?!.*\b(?:comments?|code|emails?|docs?|reports?|commits?|variables?)\b).{{0,24}}?(?:answer|reply|respond|write|talk|speak|use|communicate|text)(?: to)?(?: me| us)?(?: back)? (?:only )?in (?P<v>{NATURAL_LANGUAGES})\b.{{0,60}}$"), category="preference", attribute="language", confidence=0.95),
    Rule(rule="en.way.units", pattern=pattern(rf"^.{{0,50}}?\b(?:use|in|show|give me|prefer|stick to|quote) (?P<v>(?:{UNITS}))\b.{{0,30}}$"), category="preference", attribute="units", confidence=0.93),
    Rule(rule="en.way.no_code", pattern=pattern(rf"^.{{0,30}}?(?P<neg>stop|don't|do not|no more|never|quit|avoid)\b.{{0,24}}?\b(?P<v>{PROGRAMMING})(?: (?:examples?|code|snippets?|samples?|for .{{0,20}}|any ?more))?$"), category="preference", attribute="programming_language", polarity=False, confidence=0.93),
    Rule(rule="en.way.code", pattern=pattern(rf"^(?P<t>for [\w -]{{2,24}} )?.{{0,24}}?\b(?:use|uses|write|code|give me|want|in|with) (?:everything in |all (?:code|examples) in |examples in |code in )?(?P<v>{PROGRAMMING})\b(?: for (?P<t2>[\w ]{{2,20}}))?.{{0,24}}$"), category="preference", attribute="programming_language", confidence=0.9),
    Rule(rule="en.way.contact.no", pattern=pattern(r"^(?:please |but |you )*(?P<neg>don't|do not|never|no|may not|can't|cannot|must not|stop) (?:ever )?(?:send me |give me )?(?P<v>call|calling|text|texting|email|emailing|sms|phone calls?|calls|texts|voicemails?|newsletters?)(?:ing)?(?: me)?\b(?P<rest>.{0,30})$"), category="preference", attribute="contact:", polarity=False, confidence=0.92),
    Rule(rule="en.way.contact", pattern=pattern(r"^(?:please )?(?:only |you can |you may |just |feel free to |it's ok to |always )+(?P<v>text|call|email|message|send me (?:sms|texts?|emails?|reminders?|messages?))(?: me)?\b(?P<rest>.{0,30})$"), category="preference", attribute="contact:", confidence=0.9),
    Rule(rule="en.way.recommend.no", pattern=pattern(r"^.{0,20}?(?P<neg>stop|don't|do not|never|no more|quit) (?:ever )?(?:suggest|suggesting|recommend|recommending|showing me|show me|offering)(?: me)? (?P<v>[^.]{2,40}?)(?: to me| again| any ?more)?$"), category="preference", attribute="likes:", polarity=False, confidence=0.92),
    Rule(rule="en.way.seat", pattern=pattern(r"^(?:always )?(?:an? |the )?(?P<v>window|aisle)(?: seat)?(?: for me)?(?:, always)?.{0,20}$"), category="preference", attribute="seat"),
    Rule(rule="en.way.dark", pattern=pattern(r"^(?P<v>(?:dark|light) (?:mode|theme)s?) (?:always|everywhere|only|please).{0,10}$"), category="preference", attribute="tool:"),
)  # fmt: skip
